# Entry point. Each target does its own setup (packages, configure, build) and is fast when nothing changed.
.DEFAULT_GOAL := help
.PHONY: help build demo test test-oracle test-papers test-disk test-hosts test-python test-python-latest bench-python wheel sanitize sanitize-sample clang tidy odr bench bench-peers bench-selection reproduce docs page format check-format install deb clean
MAKEFLAGS += --no-print-directory
PREFIX ?= /usr/local
PROGRAM := build/release/bin/seesaw

help:
	@echo "make demo      generate data, train, verify, predict, compare methods; writes report pages"
	@echo "make test      all tests                             (make test-papers: every figure of the papers, about 20 minutes on one core)"
	@echo "make test-disk trains and verifies generated data larger than memory; SIZE=20 gigabytes, needs twice that on disk"
	@echo "make test-hosts   several hosts as network namespaces: mpirun over a network with delay and limited rate, a host cut off (needs root)"
	@echo "make test-oracle  10,000 random small problems against exact optima in rational arithmetic (make test: 500)"
	@echo "make test-python  the Python package alone, and scikit-learn's own tests with our estimators  (make test-python-latest: with the newest scikit-learn, numpy and pandas of the package index)"
	@echo "make wheel     the Python package: build/wheel/*.whl"
	@echo "make build     the program: $(PROGRAM)"
	@echo "make install   program, man pages, shell completion, library, headers and CMake package under PREFIX=$(PREFIX)"
	@echo "make deb       a Debian package of the program: build/release/seesaw_VERSION_ARCHITECTURE.deb"
	@echo "make bench     speed, as ratios within one run       (make bench-peers: against LIBLINEAR, scikit-learn, glmnet, celer, skglm and cyanure; PEERS=--quick: a part;"
	@echo "                                                        make bench-selection: paths and cross-validation)"
	@echo "make reproduce the experiments of the papers, with verdicts and figures as a page  (FULL=1: all of it, can be interrupted and resumed)"
	@echo "make sanitize  the tests under AddressSanitizer and UBSan, with fuzzing of the readers"
	@echo "make sanitize-sample  only the program under both: bad input, a fit by each method, one minute of fuzzing"
	@echo "make clang     the tests built by clang"
	@echo "make tidy      clang-tidy on all sources, with the checks of .clang-tidy"
	@echo "make odr       checks the one-definition rule across translation units (at link time)"
	@echo "make docs      regenerates the tables in README.md and docs/ from the program"
	@echo "make page      bundles the report page from report/src into report/bundle (needs npm)"
	@echo "make format    runs clang-format on all sources"

build:
	@scripts/setup build
	@scripts/build release

demo:
	@scripts/setup build
	@scripts/build release seesaw_program
	@scripts/demo $(PROGRAM)

test:
	@scripts/setup build test python
	@scripts/build dev
	@ctest --test-dir build/dev --output-on-failure --no-tests=error -j 2 -LE slow

test-oracle:
	@scripts/setup build test
	@scripts/build dev
	@SEESAW_ORACLE_PROBLEMS=10000 build/dev/bin/test_oracle

test-papers:
	@scripts/setup build test
	@scripts/build dev
	@build/dev/bin/test_papers --gtest_filter='Whole*'

test-disk:
	@scripts/setup build
	@scripts/build release
	@tests/disk/large $(PROGRAM) $(or $(SIZE),20)

test-hosts:
	@scripts/setup build
	@scripts/build release
	@tests/hosts/hosts $(PROGRAM) || [ $$? -eq 77 ]

test-python:
	@scripts/setup build test python
	@scripts/build dev seesaw_python seesaw_program
	@ctest --test-dir build/dev --output-on-failure --no-tests=error -R '^python'

test-python-latest:
	@scripts/setup build python
	@scripts/test-python-latest

bench-python:
	@scripts/setup build bench python
	@scripts/build bench seesaw_python
	@PYTHONPATH=build/bench/python /usr/bin/python3 bench/python/run
	@PYTHONPATH=build/bench/python /usr/bin/python3 bench/python/multiclass

wheel:
	@scripts/setup build python
	@/usr/bin/python3 -m pip wheel --no-build-isolation --no-index --no-deps --wheel-dir build/wheel ./python
	@ls build/wheel/*.whl

sanitize:
	@scripts/setup build test
	@scripts/build sanitize
	@ctest --test-dir build/sanitize --output-on-failure --no-tests=error -j 2

sanitize-sample:
	@scripts/setup build test
	@scripts/build sanitize seesaw_program readers_fuzz
	@scripts/sanitize-sample build/sanitize/bin/seesaw build/sanitize/bin/readers_fuzz 60

clang:
	@scripts/setup build test clang
	@scripts/build clang
	@ctest --test-dir build/clang --output-on-failure --no-tests=error -j 2

tidy:
	@scripts/setup build test clang tidy
	@scripts/tidy

# Nothing is run: compiling and linking are the check. Every object at the same -O: Eigen's prefetch is a macro or a
# function by it, and the linker refuses the mixture.
odr:
	@scripts/setup build test
	@scripts/build odr

bench:
	@scripts/setup build bench
	@scripts/build bench
	@bench/run build/bench

bench-peers:
	@scripts/setup build bench
	@scripts/build bench
	@bench/peers/equivalents build/bench/bin/seesaw
	@bench/peers/run build/bench $(PEERS)

bench-selection:
	@scripts/setup build bench
	@scripts/build bench
	@bench/paths/run build/bench/bin/seesaw
	@bench/tune/run build/bench/bin/seesaw

reproduce: build
	@$(PROGRAM) reproduce --report build/reproduction.html $(if $(FULL),--full --markdown docs/reproduction.md,--quick)

docs: build
	@scripts/docs $(PROGRAM)

page:
	@scripts/page-packages build/report
	@mkdir -p report/bundle
	@node report/bundle.mjs build/report report/bundle/page.html

install: build
	@cmake --install build/release --prefix $(PREFIX)

deb: build
	@scripts/setup build deb
	@cd build/release && cpack -G DEB
	@ls build/release/*.deb

format:
	@scripts/setup format
	@git ls-files -co --exclude-standard '*.h' '*.cpp' | xargs clang-format -i

check-format:
	@scripts/setup format
	@git ls-files -co --exclude-standard '*.h' '*.cpp' | xargs clang-format --dry-run --Werror

clean:
	@rm -rf build

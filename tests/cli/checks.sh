# Shared by the scripts of this folder, each called as `tests/cli/NAME PROGRAM`:
#     . "$(dirname "$0")/checks.sh"; begin "$@"
# then runs and checks, then `finish`. A failed check prints one line: what was run, what was expected, what was found.

passed=0
failed=0
source_tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# Works in a temporary directory, removed at the end; the output of the program is kept outside of it.
begin() {
  if [ $# -lt 1 ] || [ ! -x "$1" ]; then
    echo "usage: $0 PROGRAM" >&2
    exit 2
  fi
  program=$(realpath "$1")
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  out=$scratch/out err=$scratch/err title="" code=0
  mkdir "$scratch/work"
  cd "$scratch/work" || exit 2
}

finish() {
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ] && exit 0 || exit 1
}

skip_all() {
  echo "skipped: $*"
  exit 77
}

skip() { echo "skipped: $*"; }
# Whether the program was built by `make sanitize`: AddressSanitizer needs memory of its own, and reports what MPI leaks.
sanitized() { grep -qs 'SEESAW_SANITIZE:BOOL=ON' "$(dirname "$program")/../CMakeCache.txt"; }
has() { command -v "$1" >/dev/null; }

pass() { passed=$((passed + 1)); }

fail() {  # fail EXPECTED FOUND
  failed=$((failed + 1))
  echo "FAILED: $title: expected $1, found ${2:-nothing}"
}

# run ARGS...: the program; its output in $out and $err, its exit code in $code.
run() {
  title="seesaw $*"
  "$program" "$@" >"$out" 2>"$err"
  code=$?
}

# runs CODE ARGS...: run, and check the exit code.
runs() {
  local expected=$1
  shift
  run "$@"
  check_exit "$expected"
}

check_exit() { if [ "$code" -eq "$1" ]; then pass; else fail "exit code $1" "$code: $(tail -n 1 "$err")"; fi; }

check_contains() {  # check_contains FILE REGEX
  if grep -qE -- "$2" "$1"; then pass; else fail "$(basename "$1") with '$2'" "'$(head -c 300 "$1" | tr '\n' '~')'"; fi
}

check_output() { check_contains "$out" "$1"; }
check_warns() { check_contains "$err" "$1"; }

check_empty() {  # check_empty FILE...
  local file
  for file in "$@"; do
    if [ ! -s "$file" ]; then pass; else fail "nothing in $(basename "$file")" "'$(head -n 1 "$file")'"; fi
  done
}

check_lines() {  # check_lines COUNT FILE
  local count
  count=$(wc -l <"$2")
  if [ "$count" -eq "$1" ]; then pass; else fail "$1 lines in $(basename "$2")" "$count"; fi
}

check_equal() {  # check_equal WHAT EXPECTED FOUND
  if [ "$2" = "$3" ]; then pass; else fail "$1 '$2'" "'$3'"; fi
}

check_same() {  # check_same FILE FILE
  if cmp -s "$1" "$2"; then pass; else fail "$1 and $2 to be the same" "$(cmp "$1" "$2" 2>&1 | head -n 1)"; fi
}

check_holds() {  # check_holds EXPRESSION: of numbers, for awk
  if awk "BEGIN { exit !($1) }" 2>/dev/null; then pass; else fail "$1" "false"; fi
}

# field NAME [FILE]: a value of the JSON line at the end of the file (written without spaces).
field() {
  tail -n 1 "${2:-$out}" | grep -oE "\"$1\":(\"[^\"]*\"|[^],}]*)" | head -n 1 | sed 's/^[^:]*://; s/"//g'
}

# check_json [FILE]: every line given is JSON, and has no NaN or Infinity.
check_json() {
  local text
  text=$(cat "${1:-$out}")
  if grep -qE '(NaN|Infinity|[^a-z"]nan|[^a-z"]inf)' <<<"$text"; then fail "JSON without NaN" "$text"; return; fi
  if ! has python3; then
    if grep -qE '^[[{].*[]}]$' <<<"$text"; then pass; else fail "JSON" "'$text'"; fi
    return
  fi
  if python3 -c 'import json, sys
for line in sys.stdin: json.loads(line)' <<<"$text" 2>/dev/null; then pass; else fail "JSON" "'$text'"; fi
}

line_of() { grep "^\"$1\":" "$2"; }  # line_of KEY MODEL: a line of a model file
check_same_line() { check_equal "$1 of $2 as of $3:" "$(line_of "$1" "$2" | md5sum)" "$(line_of "$1" "$3" | md5sum)"; }

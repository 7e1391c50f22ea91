# R's glmnet on a set read once. Requests are lines "family l1 thresh cap centred least most"; the weights are written to a file of
# doubles, and the answer is "cpu wall runs" (or "capped", or "error ..."). The target l1 is the end of a path of 4 points,
# (30, 10, 3, 1) l1, as glmnet is meant to be used; the time of the whole path counts. Each fit is a child process; short
# ones are repeated.
# usage: Rscript glmnet.R FOLDER      (rows, columns, values, labels, shape: written by rivals.py)
suppressPackageStartupMessages({library(Matrix); library(glmnet); library(parallel)})
folder <- commandArgs(trailingOnly = TRUE)[1]
all_of <- function(name, what, size) {
  path <- file.path(folder, name)
  readBin(path, what, n = file.size(path) / size, size = size)
}
shape <- all_of("shape", "integer", 4)  # n, d, dense
b <- all_of("labels", "double", 8)
values <- all_of("values", "double", 8)
A <- if (shape[3] == 1) matrix(values, shape[1], shape[2]) else
  new("dgCMatrix", i = all_of("rows", "integer", 4), p = all_of("columns", "integer", 4), x = values, Dim = shape[1:2])

fit <- function(family, l1, thresh, target)
  glmnet(A, if (family == "binomial") factor(target) else target, family = family, lambda = c(30, 10, 3, 1) * l1, standardize = FALSE,
         intercept = FALSE, thresh = thresh, maxit = 1e9)
glmnet.control(fdev = 0, devmax = 1)  # always compute the whole path

# CPU seconds of a process so far, in ticks of 0.01 s. Three short runs are below 1 s.
cpu_of <- function(pid) {
  fields <- strsplit(sub("^.*\\) ", "", readLines(sprintf("/proc/%d/stat", pid))), " ")[[1]]
  sum(as.numeric(fields[12:13])) / 100
}

measure <- function(family, l1, thresh, target, least, most) {
  best <- NULL
  runs <- 0
  total <- 0
  while (runs == 0 || (best[1] < 0.3 && (runs < least || (runs < most && total < 0.3)))) {
    from <- proc.time()
    found <- fit(family, l1, thresh, target)
    used <- proc.time() - from
    runs <- runs + 1
    seconds <- c(used[["user.self"]] + used[["sys.self"]], used[["elapsed"]])
    total <- total + seconds[1]
    if (is.null(best) || seconds[1] < best[1]) best <- seconds
  }
  weights <- as.numeric(found$beta[, ncol(found$beta)])
  if (ncol(found$beta) != 4) stop("the path ended early")
  writeBin(weights, file.path(folder, "weights"))
  paste(best[1], best[2], runs)
}

invisible(tryCatch(fit("gaussian", 1e6, 1e-3, b), error = function(e) NULL))  # loading on the first call is not timed
input <- file("stdin", "r")
cat("ready\n")
while (length(line <- readLines(input, n = 1)) > 0) {
  request <- strsplit(line, " ")[[1]]
  target <- if (request[5] == "1") b - mean(b) else b
  cap <- as.numeric(request[4])
  child <- mcparallel(tryCatch(measure(request[1], as.numeric(request[2]), as.numeric(request[3]), target, as.integer(request[6]), as.integer(request[7])), error = function(e) paste("error", conditionMessage(e))))
  answer <- NULL
  while (is.null(answer <- mccollect(child, wait = FALSE, timeout = 0.2)) && cpu_of(child$pid) < max(cap, 1)) {}
  if (is.null(answer)) {
    tools::pskill(child$pid, tools::SIGKILL)
    invisible(suppressWarnings(mccollect(child, wait = TRUE)))
    cat("capped\n")
  } else {
    cat(gsub("\n", " ", as.character(answer[[1]])), "\n", sep = "")
    invisible(suppressWarnings(mccollect(child, wait = FALSE, timeout = 1)))
  }
  flush(stdout())
}

# One fit by glmnet with options as we print them; the weights are written to a file, one column per class.
# usage: Rscript one_glmnet.R DATA.csv WEIGHTS 'family="binomial", lambda=0.1, alpha=0, standardize=FALSE'      (label first)
suppressPackageStartupMessages(library(glmnet))
given <- commandArgs(trailingOnly = TRUE)
table <- as.matrix(read.csv(given[1], header = FALSE))
options <- eval(parse(text = paste0("list(", given[3], ")")))
y <- if (options$family == "gaussian") table[, 1] else factor(table[, 1])
x <- unname(table[, -1])
target <- options$lambda
options$lambda <- target * c(100, 30, 10, 3, 1)  # a path, as glmnet is meant to be used
glmnet.control(fdev = 0, devmax = 1)
fitted <- do.call(glmnet, c(list(x = x, y = y, thresh = 1e-16, maxit = 1e8), options))
at <- length(fitted$lambda)
stopifnot(fitted$lambda[at] == target)
weights <- if (is.list(fitted$beta)) sapply(fitted$beta, function(of) as.numeric(of[, at])) else matrix(as.numeric(fitted$beta[, at]))
write.table(format(weights, digits = 17), given[2], row.names = FALSE, col.names = FALSE, quote = FALSE)

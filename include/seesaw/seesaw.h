// The C++ interface: data in, a certified model out. It depends on the standard library alone.
//
//     const seesaw::Data data = seesaw::Data::read("a9a");
//     seesaw::Training training;
//     training.loss = seesaw::LossName::hinge;
//     training.penalty = {.C = 1};
//     const seesaw::Model model = seesaw::train(data, training).model;
//     model.certificate().gap;  // P - D, computed from the data
//
// Invalid input throws an error of seesaw/error.h. Data and Model are immutable: share them between threads freely.
// docs/embedding.md describes the interface with examples.
#pragma once

#include "seesaw/cancel.h"
#include "seesaw/catalog.h"
#include "seesaw/data.h"
#include "seesaw/error.h"
#include "seesaw/model.h"
#include "seesaw/path.h"
#include "seesaw/read_options.h"
#include "seesaw/training.h"
#include "seesaw/types.h"
#include "seesaw/version.h"

"""What differs between versions of scikit-learn, 1.2 to the newest."""
from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import sklearn
from sklearn.utils.class_weight import compute_class_weight

try:
    from sklearn.utils.validation import validate_data as _validate_data  # 1.6 and later
except ImportError:
    _validate_data = None

_version = tuple(int(part) for part in sklearn.__version__.split(".")[:2])
weighs_scores = _version >= (1, 8)  # LogisticRegressionCV weighs the scores of the rows left out, too
_weighs_balanced = "sample_weight" in inspect.signature(compute_class_weight).parameters  # 1.7 and later


def validate(estimator: Any, *arrays: Any, **options: Any) -> Any:
    """X, or X and y, checked and converted; sets or checks n_features_in_ and feature_names_in_."""
    if _validate_data is not None:
        return _validate_data(estimator, *arrays, **options)
    return estimator._validate_data(*arrays, **options)


def weights_of_classes(class_weight: Any, classes: np.ndarray, y: np.ndarray, sample_weight: Any = None) -> np.ndarray:
    if _weighs_balanced:
        return compute_class_weight(class_weight, classes=classes, y=y, sample_weight=sample_weight)
    return compute_class_weight(class_weight, classes=classes, y=y)

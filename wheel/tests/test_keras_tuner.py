import pathlib
import tempfile
import unittest

import keras
import keras_tuner
import numpy
import tensorvet
import tensorvet.keras_tuner


class Search(keras_tuner.RandomSearch):
    """A search that does not write for TensorBoard, which need not be installed."""

    def run_trial(self, trial, x, y):
        return {"loss": self.hypermodel.build(trial.hyperparameters).evaluate(x, y, verbose=0)}


class Searches(unittest.TestCase):
    def test_models_that_cannot_work_are_not_built(self):
        with tempfile.TemporaryDirectory() as folder:
            inputs = keras.Input((12, 1), name="x")
            hidden = keras.layers.Conv1D(2, 3, name="conv")(inputs)
            pooled = keras.layers.MaxPooling1D(2, name="pool")(hidden)
            outputs = keras.layers.Dense(1, name="out")(keras.layers.Flatten()(pooled))
            path = pathlib.Path(folder, "model.json")
            path.write_text(keras.Model(inputs, outputs).to_json())
            space = {"conv.kernel_size": "1..12", "pool.pool_size": "1..6"}
            model = tensorvet.Model(path, space)
            refused, built = [], []

            @tensorvet.keras_tuner.guard(model, on_refused=lambda params, verdict: refused.append(params))
            def build(hp):
                kernel = hp.Int("conv.kernel_size", 1, 12)
                pool = hp.Int("pool.pool_size", 1, 6)
                network = keras.Sequential(
                    [keras.Input((12, 1)), keras.layers.Conv1D(2, kernel), keras.layers.MaxPooling1D(pool), keras.layers.Flatten(), keras.layers.Dense(1)]
                )
                built.append((kernel, pool))
                network.compile("sgd", "mse")
                return network

            tuner = Search(
                build, "loss", max_trials=12, seed=1, directory=folder, project_name="search", max_consecutive_failed_trials=12
            )
            tuner.search(numpy.zeros((2, 12, 1)), numpy.zeros((2, 1)))
            self.assertTrue(refused)
            for params in refused:
                self.assertGreater(params["pool.pool_size"], 12 - params["conv.kernel_size"] + 1)
            for kernel, pool in built:
                self.assertLessEqual(pool, 12 - kernel + 1)


if __name__ == "__main__":
    unittest.main()

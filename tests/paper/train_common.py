"""What the training scripts of this folder share: the data, the export, the record of how good each model is.

The data (LINEX_DATA, else shared/data beside the repository) are IDX files, whole data sets or parts of them:
{fmnist,cifar10}-{train,test}-{images,labels}-idx*-ubyte.gz, Fashion-MNIST of Xiao, Rasul and Vollgraf (2017) and
CIFAR10 of Krizhevsky (2009), pictures of the latter as n x 32 x 32 x 3.
"""

import gzip
import json
import os
import pathlib

import numpy as np
import torch

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE / "models"
DATA = pathlib.Path(os.environ.get("LINEX_DATA", HERE.parents[2] / "shared" / "data"))


def read(name):
    """An IDX file of bytes."""
    (path,) = DATA.glob(f"{name}-idx*-ubyte.gz")
    data = gzip.decompress(path.read_bytes())
    shape = np.frombuffer(data, ">i4", data[3], 4)
    return torch.from_numpy(np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(shape).copy())


def pictures(name, part):
    """Pictures of a data set in 0 … 1, [n, channels, height, width], and their classes."""
    images = read(f"{name}-{part}-images")
    images = images[:, None] if images.dim() == 3 else images.permute(0, 3, 1, 2)
    return images.float() / 255, read(f"{name}-{part}-labels").long()


def prepare():
    """One thread, so that sums are taken in one order: run again on one machine, a script writes the same bits. Numbers
    too small to be held in full count as zero, since some processors are slow with them."""
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)


def parameters(network):
    return sum(one.numel() for one in network.parameters())


@torch.no_grad()
def mean_of(measure, *tensors):
    """The mean of a measure over all rows, asked for in parts that fit into memory."""
    parts = [measure(*some) for some in zip(*(one.split(500) for one in tensors))]
    return float(torch.cat(parts).double().mean())


def export(network, name, example, given, answered):
    """Writes models/<name>.onnx, for batches of any size."""
    torch.onnx.export(
        network.eval(),
        (example,),
        str(MODELS / f"{name}.onnx"),
        opset_version=13,
        input_names=[given],
        output_names=[answered],
        dynamic_axes={given: {0: "count"}, answered: {0: "count"}},
    )


def record(name, **facts):
    """Puts what is known of a model into models/accuracy.json."""
    path = MODELS / "accuracy.json"
    known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    known[name] = facts
    path.write_text(json.dumps(dict(sorted(known.items())), indent=2) + "\n", "utf-8")
    print(name, facts, flush=True)

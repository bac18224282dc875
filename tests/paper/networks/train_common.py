"""Shared by the training scripts of this folder: reads data, exports models, and records their accuracy.

The data (in LINEX_DATA, else shared/data next to the repository) are IDX files, whole data sets or parts of them:
{fmnist,cifar10}-{train,test}-{images,labels}-idx*-ubyte.gz, Fashion-MNIST of Xiao, Rasul and Vollgraf (2017) and
CIFAR10 of Krizhevsky (2009). The images of CIFAR10 have the shape n x 32 x 32 x 3.
"""

import argparse
import gzip
import json
import os
import pathlib

import numpy as np
import torch

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE.parent / "models"
DATA = pathlib.Path(os.environ.get("LINEX_DATA", HERE.parents[3] / "shared" / "data"))


def read(name):
    """Reads an IDX file of bytes."""
    (path,) = DATA.glob(f"{name}-idx*-ubyte.gz")
    data = gzip.decompress(path.read_bytes())
    shape = np.frombuffer(data, ">i4", data[3], 4)
    return torch.from_numpy(np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(shape).copy())


def pictures(name, part):
    """Returns the images of a data set, from 0 to 1, as [n, channels, height, width], and their classes."""
    images = read(f"{name}-{part}-images")
    images = images[:, None] if images.dim() == 3 else images.permute(0, 3, 1, 2)
    return images.float() / 255, read(f"{name}-{part}-labels").long()


def prepare():
    """Uses one thread, so that sums have a fixed order and a script writes the same bits again on the same machine.
    Denormal numbers count as zero, because some processors are slow with them."""
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)


def parameters(network):
    return sum(one.numel() for one in network.parameters())


@torch.no_grad()
def mean_of(measure, *tensors):
    """Returns the mean of a measure over all rows, computed in parts that fit into memory."""
    parts = [measure(*some) for some in zip(*(one.split(500) for one in tensors))]
    return float(torch.cat(parts).double().mean())


def arguments(description):
    """Reads the command line: which networks, how long, and where to."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[[], "fmnist", "cifar10"])
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--into", type=pathlib.Path, default=MODELS)
    parser.add_argument("--epochs", type=int)
    return parser.parse_args()


def export(network, name, example, given, answered, folder=MODELS):
    """Writes <folder>/<name>.onnx, for batches of any size."""
    folder.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        network.eval(),
        (example,),
        str(folder / f"{name}.onnx"),
        opset_version=13,
        input_names=[given],
        output_names=[answered],
        dynamic_axes={given: {0: "count"}, answered: {0: "count"}},
    )


def record(name, folder=MODELS, /, **facts):
    """Records the facts about a model in <folder>/accuracy.json."""
    path = folder / "accuracy.json"
    known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    known[name] = facts
    path.write_text(json.dumps(dict(sorted(known.items())), indent=2) + "\n", "utf-8")
    print(name, facts, flush=True)

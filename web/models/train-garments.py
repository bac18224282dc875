"""Trains the garment network, garments.onnx, on Fashion-MNIST.

    apt-get install python3-torch
    LINEX_DATA=folder OMP_WAIT_POLICY=PASSIVE /usr/bin/python3 web/models/train-garments.py

The folder (default: shared/data next to the repository) holds all or part of the data set of Xiao, Rasul and Vollgraf
(2017), as fmnist-{train,test}-{images-idx3,labels-idx1}-ubyte.gz.

The network takes float32 [n, 1, 28, 28], gray from 0 to 1, light garments on black, and returns [n, 10] probabilities. In
training, images are shifted and mirrored, and half of them get a gray box, because an explanation asks about images with
hidden parts.

It also writes tests/vectors/garments.json: torch's answers for images that are in no data set.
"""

import gzip
import json
import os
import pathlib

import numpy as np
import torch
from torch import nn
from torch.nn import functional

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DATA = pathlib.Path(os.environ.get("LINEX_DATA", ROOT.parent / "shared" / "data"))
SIZE, CLASSES = 28, 10
EPOCHS, BATCH, RATE, DECAY, SMOOTHING = 16, 64, 4e-3, 1e-4, 0.1


def read(name):
    """Reads an IDX file of bytes."""
    data = gzip.decompress((DATA / f"fmnist-{name}-ubyte.gz").read_bytes())
    shape = np.frombuffer(data, ">i4", data[3], 4)
    return torch.from_numpy(np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(shape).copy())


def pictures(part):
    return read(f"{part}-images-idx3")[:, None].float() / 255, read(f"{part}-labels-idx1").long()


def block(inputs, outputs):
    return [nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(), nn.MaxPool2d(2)]


def build():
    last = nn.Linear(64 * (SIZE // 8) ** 2, CLASSES)
    return nn.Sequential(*block(1, 24), *block(24, 48), *block(48, 64), nn.Flatten(), nn.Dropout(0.3), last)


def disturbed(some):
    """Shifts images by up to two pixels, mirrors half of them, and hides parts of half of them."""
    some = functional.pad(some, (2, 2, 2, 2))
    down, right = torch.randint(0, 5, (2,)).tolist()
    some = some[..., down : down + SIZE, right : right + SIZE].clone()
    mirrored = torch.rand(len(some)) < 0.5
    some[mirrored] = some[mirrored].flip(3)
    for one in torch.nonzero(torch.rand(len(some)) < 0.5).flatten().tolist():
        high, wide = torch.randint(4, 15, (2,)).tolist()
        top, left = (int(torch.randint(0, SIZE - side + 1, ())) for side in (high, wide))
        some[one, :, top : top + high, left : left + wide] = torch.rand(())
    return some


def train(images, labels):
    torch.manual_seed(2023)
    network = build()
    steps = EPOCHS * -(-len(labels) // BATCH)
    optimizer = torch.optim.Adam(network.parameters(), RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    for epoch in range(EPOCHS):
        for some in torch.randperm(len(labels)).split(BATCH):
            optimizer.zero_grad()
            loss = functional.cross_entropy(network(disturbed(images[some])), labels[some], label_smoothing=SMOOTHING)
            loss.backward()
            optimizer.step()
            schedule.step()
        print(f"epoch {epoch + 1} of {EPOCHS}: the last loss {loss.item():.3f}", flush=True)
    return nn.Sequential(network, nn.Softmax(1)).eval()


def shapes():
    """Generates simple images that any language can draw: black, a box, a disc, stripes, a ramp, grain."""
    y, x = np.mgrid[:SIZE, :SIZE]
    yield np.zeros((SIZE, SIZE))
    yield 200 * ((abs(x - 13.5) < 8) & (abs(y - 13.5) < 11))
    yield 160 * ((x - 13.5) ** 2 + (y - 13.5) ** 2 < 81)
    yield 255 * (x // 4 % 2)
    yield y * 9
    yield (x * 7 + y * 13 + x * y * 5) % 256


@torch.no_grad()
def main():
    torch.set_num_threads(1)
    with torch.enable_grad():
        network = train(*pictures("train"))
    images, labels = pictures("test")
    answers = network(images)
    accuracy = round(float((answers.argmax(1) == labels).float().mean()), 4)
    print(f"accuracy {accuracy} on {len(labels)}, likelihood {float(functional.nll_loss(answers.log(), labels)):.3f}")
    torch.onnx.export(
        network,
        (images[:2],),
        str(HERE / "garments.onnx"),
        opset_version=13,
        input_names=["images"],
        output_names=["probabilities"],
        dynamic_axes={"images": {0: "count"}, "probabilities": {0: "count"}},
    )
    drawn = np.array(list(shapes())).astype(np.uint8)
    answers = network(torch.from_numpy(drawn)[:, None].float() / 255)
    cases = [{"pixels": a.tobytes().hex(), "probabilities": b.tolist()} for a, b in zip(drawn, answers)]
    vectors = {"source": f"torch {torch.__version__}", "tested": len(labels), "accuracy": accuracy, "cases": cases}
    (ROOT / "tests" / "vectors" / "garments.json").write_text(json.dumps(vectors, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()

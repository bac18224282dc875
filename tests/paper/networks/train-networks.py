"""Trains the paper's image classifiers: a plain network on Fashion-MNIST and a residual one on CIFAR10.

    apt-get install python3-torch libopenblas0-pthread
    export LINEX_DATA=folder OMP_WAIT_POLICY=PASSIVE OPENBLAS_NUM_THREADS=1
    /usr/bin/python3 tests/paper/networks/train-networks.py [fmnist] [cifar10] [--long] [--into folder] [--epochs n]

It writes models/{fmnist,cifar10}-classifier.onnx and their accuracy. Both take float32 [n, channels, height, width]
from 0 to 1 and return [n, 10] probabilities. The paper's residual network is ResNet18, which is right in 95 % and needs
556 million multiply-adds per image. Our tables need more than a hundred thousand queries in WebAssembly, so our network
halves the image in its first layer and needs 14 million.

--long trains CIFAR10 for about an hour with wider layers, more epochs, mixed images and a running mean of the weights,
which is what helps when there are few images. --into writes to another folder, so that a candidate can be judged before
it replaces a model: a model that replaces one changes every table. --epochs is for a trial.
"""

import copy

import torch
from torch import nn
from torch.nn import functional

from train_common import arguments, export, mean_of, parameters, pictures, prepare, record

SEED, CLASSES = 2023, 10
FMNIST = {"epochs": 30, "batch": 64, "rate": 2e-3, "decay": 1e-4, "hidden": 128}
CIFAR10 = {"epochs": 45, "batch": 128, "rate": 0.25, "decay": 5e-4, "smoothing": 0.1, "margin": 4, "hole": 8, "maps": 32}
LONG = {**CIFAR10, "epochs": 160, "maps": 40, "mix": 0.2, "averaged": 0.999}


class Normalized(nn.Module):
    """Scales each channel to mean 0 and deviation 1 over the training images."""

    def __init__(self, images):
        super().__init__()
        self.register_buffer("mean", images.mean((0, 2, 3), keepdim=True))
        self.register_buffer("deviation", images.std((0, 2, 3), keepdim=True))

    def forward(self, images):
        return (images - self.mean) / self.deviation


class Residual(nn.Module):
    """Two convolutions with a shortcut (He, Zhang, Ren and Sun 2016)."""

    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        second = convolution(outputs, outputs, 3, 1)
        self.long = nn.Sequential(*convolution(inputs, outputs, 3, stride), nn.ReLU(), *second)
        same = inputs == outputs and stride == 1
        self.short = nn.Identity() if same else nn.Sequential(*convolution(inputs, outputs, 1, stride))

    def forward(self, maps):
        return functional.relu(self.long(maps) + self.short(maps))


def convolution(inputs, outputs, size, stride):
    return [nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False), nn.BatchNorm2d(outputs)]


def plain(images):
    hidden = FMNIST["hidden"]
    return nn.Sequential(nn.Flatten(), nn.Linear(images[0].numel(), hidden), nn.ReLU(), nn.Linear(hidden, CLASSES))


def residual(images, maps):
    stem = [Normalized(images), *convolution(3, maps, 5, 2), nn.ReLU()]
    blocks = [Residual(maps, maps), Residual(maps, 2 * maps, 2), Residual(2 * maps, 2 * maps)]
    return nn.Sequential(*stem, *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2 * maps, CLASSES))


def windows(count, side, low, high):
    """Returns indices of a random square per image: `count` images, rows and columns that start between low and high."""
    rows, columns = (torch.randint(low, high + 1, (count, 1)) + torch.arange(side) for _ in range(2))
    return torch.arange(count)[:, None, None], rows[:, :, None], columns[:, None, :]


def disturbed(some):
    """Mirrors half of the images, shifts them by up to the margin, and hides a square behind gray."""
    margin, hole, (count, _, size, _) = CIFAR10["margin"], CIFAR10["hole"], some.shape
    mirrored = (torch.rand(count) < 0.5)[:, None, None, None]
    some = functional.pad(torch.where(mirrored, some.flip(3), some), [margin] * 4, mode="reflect").permute(0, 2, 3, 1)
    some = some[windows(count, size, 0, 2 * margin)].clone()
    some[windows(count, hole, 0, size - hole)] = 0.5
    return some.permute(0, 3, 1, 2)


def train_plain(images, labels, _):
    """Trains with Adam on unchanged images; the paper says only that it is a network."""
    torch.manual_seed(SEED)
    network = plain(images)
    optimizer = torch.optim.Adam(network.parameters(), FMNIST["rate"], weight_decay=FMNIST["decay"])
    return trained(network, optimizer, FMNIST, images, labels)


def train_residual(images, labels, given):
    torch.manual_seed(SEED)
    settings = LONG if given.long else CIFAR10
    settings = {**settings, "epochs": given.epochs or settings["epochs"]}
    network = residual(images, settings["maps"]).to(memory_format=torch.channels_last)
    rate, decay = settings["rate"], settings["decay"]
    optimizer = torch.optim.SGD(network.parameters(), rate, 0.9, weight_decay=decay, nesterov=True)
    return trained(network, optimizer, settings, images, labels, disturbed)


def mixed(some, targets, strength):
    """Blends each image and its target with another of the batch (Zhang, Cisse, Dauphin and Lopez-Paz 2018)."""
    share = float(torch.distributions.Beta(strength, strength).sample())
    other = torch.randperm(len(some))
    return share * some + (1 - share) * some[other], share * targets + (1 - share) * targets[other]


class Averaged:
    """A running mean of the weights, which replaces them in the end."""

    def __init__(self, network, keep):
        self.network, self.keep = copy.deepcopy(network), keep

    @torch.no_grad()
    def update(self, network):
        pairs = zip(self.network.state_dict().values(), network.state_dict().values())
        for mean, now in pairs:
            if mean.is_floating_point():
                mean.mul_(self.keep).add_(now, alpha=1 - self.keep)
            else:
                mean.copy_(now)


def trained(network, optimizer, settings, images, labels, change=lambda some: some):
    """Returns the network after all epochs, not the best one on the test images; its output is probabilities."""
    epochs, batch, rate = settings["epochs"], settings["batch"], settings["rate"]
    steps = epochs * -(-len(labels) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps)
    averaged = Averaged(network, settings["averaged"]) if "averaged" in settings else None
    for epoch in range(epochs):
        for some in torch.randperm(len(labels)).split(batch):
            optimizer.zero_grad()
            given, targets = change(images[some]), labels[some]
            if "mix" in settings:
                given, targets = mixed(given, functional.one_hot(targets, CLASSES).float(), settings["mix"])
            answers = network(given)
            loss = functional.cross_entropy(answers, targets, label_smoothing=settings.get("smoothing", 0))
            loss.backward()
            optimizer.step()
            schedule.step()
            if averaged:
                averaged.update(network)
        print(f"epoch {epoch + 1} of {epochs}: the last loss {loss.item():.3f}", flush=True)
    network = averaged.network if averaged else network
    return nn.Sequential(network.to(memory_format=torch.contiguous_format), nn.Softmax(1)).eval()


def main():
    prepare()
    given = arguments(__doc__)
    for name, train in {"fmnist": train_plain, "cifar10": train_residual}.items():
        if given.names and name not in given.names:
            continue
        images, labels = pictures(name, "train")
        network = train(images, labels, given)
        tested = pictures(name, "test")
        accuracy = mean_of(lambda some, right: (network(some).argmax(1) == right).float(), *tested)
        export(network, f"{name}-classifier", images[:2], "images", "probabilities", given.into)
        counts = {"trained": len(labels), "tested": len(tested[1]), "parameters": parameters(network)}
        record(f"{name}-classifier", given.into, accuracy=round(accuracy, 4), **counts)


if __name__ == "__main__":
    main()

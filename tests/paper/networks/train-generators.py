"""Trains the variational autoencoders that generate realistic neighbors of images of Fashion-MNIST and CIFAR10.

    apt-get install python3-torch libopenblas0-pthread
    export LINEX_DATA=folder OMP_WAIT_POLICY=PASSIVE OPENBLAS_NUM_THREADS=1
    /usr/bin/python3 tests/paper/networks/train-generators.py [fmnist] [cifar10] [--long] [--into folder] [--epochs n]

It writes models/{fmnist,cifar10}-{encoder,decoder}.onnx. An encoder takes float32 [n, channels, height, width] from
0 to 1 and returns [n, latent], the mean of the code. A decoder takes such codes and returns images from 0 to 1.

models/accuracy.json records for each pair, from the test images: the mean squared error of a pixel after encoding and
decoding; how many numbers of the code are in use (their means vary by more than 0.01 between images; the decoder ignores
the others); the deviation of the code given an image, over those in use; and `radius`, the deviation of MeLIME's
neighbors. MeLIME draws a code given the image and adds a uniform number from -r/2 to r/2, with r = 1 in its image
example, so the radius is the root of deviation^2 + 1/12.

--long trains CIFAR10 for about an hour with wider maps and many more epochs; --into and --epochs are those of
train-networks.py. measure-neighbors.js says how many images keep their class when they are decoded.
"""

import torch
from torch import nn
from torch.nn import functional

from train_common import arguments, export, mean_of, parameters, pictures, prepare, record

SEED, IN_USE = 2023, 0.01
# All shoes of Fashion-MNIST point to the left.
FMNIST = {"latent": 20, "hidden": (224, 128), "epochs": 60, "batch": 128, "rate": 2e-3, "mirror": 0}
CIFAR10 = {"latent": 128, "maps": (32, 48, 64), "epochs": 22, "batch": 64, "rate": 1.5e-3, "mirror": 0.5}
LONG = {**CIFAR10, "latent": 192, "epochs": 200}


def dense(sides):
    """Returns layers of the given sizes with ELU between them, as in MeLIME's generator."""
    layers = [part for pair in zip(sides, sides[1:]) for part in (nn.Linear(*pair), nn.ELU())]
    return layers[:-1]


class Shaped(nn.Module):
    """Reshapes rows to maps; torch 1.13 cannot export its own layer for this."""

    def __init__(self, shape):
        super().__init__()
        self.shape = tuple(shape)

    def forward(self, rows):
        return rows.reshape(-1, *self.shape)


def plain(images, _):
    shape = images.shape[1:]
    sides = [shape.numel(), *FMNIST["hidden"]]
    encoder = nn.Sequential(nn.Flatten(), *dense(sides), nn.ELU())
    back = dense([FMNIST["latent"], *reversed(sides)])
    return encoder, sides[-1], nn.Sequential(*back, nn.Sigmoid(), Shaped(shape))


def halving(inputs, outputs):
    return [nn.Conv2d(inputs, outputs, 4, 2, 1, bias=False), nn.BatchNorm2d(outputs), nn.LeakyReLU(0.1)]


def doubling(inputs, outputs):
    return [nn.ConvTranspose2d(inputs, outputs, 4, 2, 1, bias=False), nn.BatchNorm2d(outputs), nn.LeakyReLU(0.1)]


def convolutional(_, settings):
    few, more, most = settings["maps"]
    encoder = nn.Sequential(*halving(3, few), *halving(few, more), *halving(more, most), nn.Flatten())
    start = [nn.Linear(settings["latent"], most * 16), Shaped((most, 4, 4)), nn.LeakyReLU(0.1)]
    last = [nn.ConvTranspose2d(few, 3, 4, 2, 1), nn.Sigmoid()]
    return encoder, most * 16, nn.Sequential(*start, *doubling(most, more), *doubling(more, few), *last)


def bernoulli(again, images):
    """Returns the reconstruction loss of MeLIME, for gray values that are mostly black or white."""
    return functional.binary_cross_entropy(again, images, reduction="sum") / len(images)


def gaussian(again, images):
    """Returns the reconstruction loss with the best deviation for the batch (Rybkin, Daniilidis and Levine 2021), so that
    the weight of a pixel relative to the code need not be chosen."""
    return images[0].numel() / 2 * functional.mse_loss(again, images).log()


class Pair(nn.Module):
    """An encoder to the mean and log variance of a code, and a decoder."""

    def __init__(self, build, images, settings):
        super().__init__()
        latent = settings["latent"]
        body, width, self.decoder = build(images, settings)
        self.body, self.to_mean, self.to_spread = body, nn.Linear(width, latent), nn.Linear(width, latent)

    def forward(self, images):
        body = self.body(images)
        return self.to_mean(body), self.to_spread(body).clamp(-10, 2)


def loss_of(pair, images, surprise):
    """Returns Kingma and Welling's bound (2014), per image."""
    mean, spread = pair(images)
    again = pair.decoder(mean + torch.randn_like(mean) * (spread / 2).exp())
    return surprise(again, images) + (mean**2 + spread.exp() - 1 - spread).sum() / 2 / len(images)


def trained(build, images, settings, surprise):
    torch.manual_seed(SEED)
    pair = Pair(build, images, settings)
    epochs, batch, rate = settings["epochs"], settings["batch"], settings["rate"]
    optimizer = torch.optim.Adam(pair.parameters(), rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=epochs * -(-len(images) // batch))
    for epoch in range(epochs):
        for some in torch.randperm(len(images)).split(batch):
            mirrored = (torch.rand(len(some)) < settings["mirror"])[:, None, None, None]
            optimizer.zero_grad()
            loss = loss_of(pair, torch.where(mirrored, images[some].flip(3), images[some]), surprise)
            loss.backward()
            optimizer.step()
            schedule.step()
        print(f"epoch {epoch + 1} of {epochs}: the last loss {loss.item():.2f}", flush=True)
    return pair.eval()


@torch.no_grad()
def facts(pair, images):
    """Returns what is recorded about a pair; see the top of this file."""
    mean, spread = (torch.cat(parts) for parts in zip(*(pair(some) for some in images.split(500))))
    used = mean.var(0) > IN_USE
    deviation = float(spread[:, used].exp().mean().sqrt())
    error = mean_of(lambda code, some: ((pair.decoder(code) - some) ** 2).flatten(1).mean(1), mean, images)
    radius = (deviation**2 + 1 / 12) ** 0.5
    numbers = {"error": round(error, 5), "deviation": round(deviation, 3), "radius": round(radius, 3)}
    return {**numbers, "latent": mean.shape[1], "used": int(used.sum())}


def main():
    prepare()
    given = arguments(__doc__)
    chosen = {"fmnist": (plain, FMNIST, bernoulli), "cifar10": (convolutional, LONG if given.long else CIFAR10, gaussian)}
    for name, (build, settings, surprise) in chosen.items():
        if given.names and name not in given.names:
            continue
        settings = {**settings, "epochs": given.epochs or settings["epochs"]}
        images, _ = pictures(name, "train")
        pair = trained(build, images, settings, surprise)
        tested, _ = pictures(name, "test")
        encoder = nn.Sequential(pair.body, pair.to_mean)
        export(encoder, f"{name}-encoder", images[:2], "images", "codes", given.into)
        export(pair.decoder, f"{name}-decoder", torch.zeros(2, settings["latent"]), "codes", "images", given.into)
        counts = {"trained": len(images), "tested": len(tested)}
        sizes = {"encoder": parameters(encoder), "decoder": parameters(pair.decoder)}
        record(f"{name}-generator", given.into, **facts(pair, tested), **counts, parameters=sizes)


if __name__ == "__main__":
    main()

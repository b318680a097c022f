"""A neural network with one hidden layer, in plain numpy."""
import numpy


class Network:
    def __init__(self, hidden, seed):
        rng = numpy.random.default_rng(seed)
        self.weights = [rng.normal(0, 1 / 8, (64, hidden)), rng.normal(0, hidden ** -0.5, (hidden, 10))]
        self.biases = [numpy.zeros(hidden), numpy.zeros(10)]

    def forward(self, images):
        """Activations of the hidden layer, and the probability of each digit."""
        hidden = numpy.maximum(0, images @ self.weights[0] + self.biases[0])
        scores = hidden @ self.weights[1] + self.biases[1]
        scores = numpy.exp(scores - scores.max(axis=1, keepdims=True))
        return hidden, scores / scores.sum(axis=1, keepdims=True)

    def step(self, images, labels, rate, decay):
        """One step of gradient descent on the cross entropy; returns its value before the step."""
        hidden, chance = self.forward(images)
        rows = numpy.arange(len(labels))
        loss = -numpy.log(chance[rows, labels] + 1e-12).mean()
        out = chance.copy()
        out[rows, labels] -= 1
        out /= len(labels)
        back = (out @ self.weights[1].T) * (hidden > 0)
        for layer, (below, above) in enumerate(((images, back), (hidden, out))):
            self.weights[layer] -= rate * (below.T @ above + decay * self.weights[layer])
            self.biases[layer] -= rate * above.sum(axis=0)
        return loss

    def accuracy(self, images, labels):
        return float((self.forward(images)[1].argmax(axis=1) == labels).mean())

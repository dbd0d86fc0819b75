"""Models with the interface of transformers, which is not among Debian's packages: the same calls, arguments and
results, over random weights."""

import types

import torch


class Tokenizer:
    """Words by number; the padding is 0."""

    def __init__(self):
        self.words = ["<pad>", "<s>"]

    def _ids(self, text):
        for word in text.split():
            if word not in self.words:
                self.words.append(word)
        return [self.words.index(word) for word in text.split()]

    def __call__(self, text=None, *, text_target=None, return_tensors=None, padding=False):
        texts = [text if text is not None else text_target] if not isinstance(text, list) else text
        ids = [self._ids(one) for one in texts]
        longest = max(len(one) for one in ids)
        mask = [[1] * len(one) + [0] * (longest - len(one)) for one in ids]
        ids = [one + [0] * (longest - len(one)) for one in ids]
        if text_target is not None:
            return {"input_ids": ids}
        return {"input_ids": torch.tensor(ids), "attention_mask": torch.tensor(mask)}

    def decode(self, ids):
        return " ".join(self.words[i] for i in ids)


def weights(layers, batch, heads, n_q, n_k, mask=None, dtype=torch.float32):
    scores = torch.randn(layers, batch, heads, n_q, n_k)
    if mask is not None:
        scores = scores.masked_fill(mask[None, :, None, None, :] == 0, float("-inf"))
    return tuple(scores.softmax(-1).to(dtype))


class Decoder(torch.nn.Module):
    def __init__(self, eager=True, dtype=torch.float32):
        super().__init__()
        self.eager, self.dtype_of_weights = eager, dtype
        self.device = torch.device("cpu")
        self.config = types.SimpleNamespace(is_encoder_decoder=False, name_or_path="stand-in", decoder_start_token_id=1)

    def forward(self, input_ids, attention_mask=None, output_attentions=False):
        assert output_attentions and not torch.is_grad_enabled() and not self.training
        n = input_ids.shape[1]
        self.made = weights(3, len(input_ids), 2, n, n, attention_mask, self.dtype_of_weights)
        return types.SimpleNamespace(attentions=self.made if self.eager else None)


class EncoderDecoder(Decoder):
    def __init__(self):
        super().__init__()
        self.config.is_encoder_decoder = True

    def generate(self, input_ids, attention_mask=None):
        return torch.tensor([[1, 2, 3]] * len(input_ids))

    def forward(self, input_ids, attention_mask=None, decoder_input_ids=None, output_attentions=False):
        n, m, batch = input_ids.shape[1], decoder_input_ids.shape[1], len(input_ids)
        return types.SimpleNamespace(
            encoder_attentions=weights(2, batch, 2, n, n, attention_mask),
            decoder_attentions=weights(2, batch, 2, m, m),
            cross_attentions=weights(2, batch, 2, m, n, attention_mask),
        )

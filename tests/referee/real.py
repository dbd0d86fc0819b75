"""The real classes: a model's folder is loaded by the class that its config.json names and run in double precision.

Nothing is known of a family here: the maps are what a softmax over keys gives, q and k what is multiplied in front of it,
v what it is multiplied by, and layers are the modules of that name.
"""
import contextlib
import json
import re

import safetensors.torch
import torch
import transformers
from torch.overrides import TorchFunctionMode
from transformers.models.gemma3n import modeling_gemma3n


class TextAlone:
    """In place of a tower for pictures that needs timm, and of one for sound."""

    @staticmethod
    def from_config(config):
        return modeling_gemma3n.Gemma3nTextModel(config) if config.model_type == "gemma3n_text" else torch.nn.Identity()


modeling_gemma3n.AutoModel = TextAlone
LAYER = re.compile(r"(^|\.)(layers?|h|blocks?|albert_layers)\.\d+(\.\d+)?$")
# Tensors of a part for pictures, of a model whose part for text is held.
PICTURES = re.compile(r"(model\.)?(vision_tower|vision_model|visual|multi_modal_projector|connector|image_newline|audio_tower|embed_vision|embed_audio|vision_embedder)\b")
PRODUCTS = ("matmul", "__matmul__", "bmm", "baddbmm")
# XLNet's and Funnel's, whose axes are in another order: what makes [b, n, i, d], [b, n, d, j] and [b, n, j, d] of their factors.
SUMS = {"ibnd,jbnd->bnij": ((1, 2, 0, 3), (1, 2, 3, 0)), "bnij,jbnd->ibnd": ((0, 1, 2, 3), (1, 2, 0, 3)),
        "bind,bjnd->bnij": ((0, 2, 1, 3), (0, 2, 3, 1)), "bnij,bjnd->bind": ((0, 1, 2, 3), (0, 2, 1, 3))}


class Watch(TorchFunctionMode):
    """Every attention of a pass, in order: q, k [kv_heads, n, d_k], v, and its map [heads, n_q, n_k]."""

    def __init__(self):
        super().__init__()
        self.found, self.products, self.waiting, self.looks_away = [], [], False, False

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        name = getattr(func, "__name__", "")
        if self.looks_away:
            return result
        if name in PRODUCTS:
            self.multiplied([one for one in (*args, *kwargs.values()) if torch.is_tensor(one)][-2:], result)
        elif name == "einsum" and args[0] in SUMS:
            self.multiplied([one.permute(*order) for one, order in zip(args[1:], SUMS[args[0]])], result)
        elif name == "softmax":
            self.weighted(result)
        elif name == "scaled_dot_product_attention":
            self.fused(*args, **kwargs)
        return result

    def multiplied(self, factors, result):
        if self.waiting and factors[0].shape[-2:] == self.found[-1]["attention"].shape[-2:]:
            self.found[-1]["v"], self.waiting = heads_of(factors[1]), False
        else:
            self.products.append((*factors, result))

    def weighted(self, weights):
        for q, k, scores in self.products:
            if weights.shape[:-1] == scores.shape[:-1] and weights.shape[-1] == scores.shape[-1] + 1 and scores.dim() == 4:
                weights = weights[..., :-1]  # the last one is a sink's
            if scores.shape[-2:] == weights.shape[-2:] and scores.numel() == weights.numel():
                self.found.append({"attention": heads_of(weights), "q": heads_of(q), "k": heads_of(k.transpose(-1, -2))})
                self.products, self.waiting = [], True
                return


    def fused(self, q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
        """Its definition, in double precision."""
        group = q.shape[-3] // k.shape[-3]
        scores = q.double() @ k.double().repeat_interleave(group, -3).mT * (scale or q.shape[-1] ** -0.5)
        if is_causal:
            scores = scores.masked_fill(torch.ones(scores.shape[-2:]).tril() == 0, -torch.inf)
        if attn_mask is not None:
            scores = scores.masked_fill(~attn_mask, -torch.inf) if attn_mask.dtype == torch.bool else scores + attn_mask
        self.found.append({"attention": heads_of(scores.softmax(-1)), "q": heads_of(q),
                           "k": heads_of(k), "v": heads_of(v)})


def heads_of(tensor):
    """[heads, rows, columns] of the first text."""
    return tensor.detach().reshape(-1, *tensor.shape[-2:]).double()


def first(value):
    return value[0] if isinstance(value, tuple) else value


def only_text(rows):
    """[n, d] of one text, whichever axis counts texts (XLNet: the second)."""
    return rows[0] if len(rows) == 1 else rows[:, 0]


class Answers:
    """The maps of attentions whose softmax is not over all keys: what they give is a sum of values, so that with the
    rows of the identity as values it is their weights. Rows beyond the text's n are padding."""

    SPARSE = re.compile("LongformerSelfAttention|LEDEncoderSelfAttention|BigBird(Pegasus)?BlockSparseAttention")

    def __init__(self, model, n, watch):
        self.n, self.watch, self.count, self.values, self.given = n, watch, 0, None, {}
        self.hooks = []
        for module in model.modules():
            if self.SPARSE.search(type(module).__name__):
                self.hooks.append(module.register_forward_pre_hook(self.begins))
                self.hooks.append(module.register_forward_hook(self.asked, with_kwargs=True))
                for name, child in module.named_children():
                    if isinstance(child, torch.nn.Linear):
                        self.hooks.append(child.register_forward_hook(self.projects(name)))

    def begins(self, *_):
        self.watch.looks_away = True

    def projects(self, name):
        def hook(_, args, out):
            if self.values is None:
                self.given[name] = out.clone()
            elif name.startswith("value"):
                return self.values.reshape(out.shape)
        return hook

    def asked(self, module, args, kwargs, out):
        if self.values is not None:
            return
        given = {name: one.reshape(-1, one.shape[-1]) for name, one in self.given.items()}
        self.given = {}
        heads = getattr(module, "num_heads", None) or module.num_attention_heads
        split = lambda rows: rows.reshape(len(rows), heads, -1).transpose(0, 1)[:, :self.n]
        q = given["query"]
        width = q.shape[-1] // heads
        weights = torch.zeros(heads, len(q), len(q) + width, dtype=q.dtype)
        for key in range(0, len(q), width):
            self.values = torch.zeros(len(q), heads, width, dtype=q.dtype)
            for i in range(min(width, len(q) - key)):
                self.values[key + i, :, i] = 1
            weights[:, :, key:key + width] = first(module(*args, **kwargs)).reshape(len(q), heads, width).transpose(0, 1)
        self.values = None
        rows = split(q).clone()
        if "query_global" in given:  # rows of the global tokens alone, in their order
            places = kwargs["is_index_global_attn"][0].nonzero()[:, 0] if "is_index_global_attn" in kwargs else args[3][0].nonzero()[:, 0]
            rows[:, places] = given["query_global"].reshape(len(places), heads, width).transpose(0, 1)
        self.watch.looks_away, self.count = False, self.count + 1
        self.watch.found.append({"attention": weights[:, :self.n, :self.n].double(), "q": rows.double(),
                                 "k": split(given["key"]).double(), "v": split(given["value"]).double()})


@contextlib.contextmanager
def in_double(model):
    """Linear attention, Mamba-2, Funnel and XLNet's sines ask for float32 in a double model, too; the norms after them enlarge what
    that rounds off, or it is multiplied with no double."""
    if not any(type(module).__name__.endswith(("GatedDeltaNet", "MambaLayer", "FalconH1Mixer", "XLNetModel", "FunnelEncoder")) for module in model.modules()):
        yield
        return
    single, cast = torch.float32, torch.Tensor.float
    torch.float32, torch.Tensor.float = torch.float64, torch.Tensor.double
    try:
        yield
    finally:
        torch.float32, torch.Tensor.float = single, cast


class States:
    """The maps of layers without a softmax: what they apply to their values, which the real functions give for the rows of
    the identity as values. Of a short convolution there is none."""

    def __init__(self, model, watch):
        self.watch, self.hooks, self.undone, self.values, self.given = watch, [], [], None, None
        self.beside = []  # those of Falcon-H1's layers, whose attention is watched, too
        for module in model.modules():
            name = type(module).__name__
            if name.endswith("GatedDeltaNet"):
                self.replace(module, module.chunk_gated_delta_rule)
            elif name.endswith("MambaLayer") or (name == "FalconH1Mixer" and module.mamba_rms_norm):
                self.hooks.append(module.act.register_forward_hook(self.reads(module)))
                self.hooks.append(module.norm.register_forward_pre_hook(self.gives))
                self.hooks.append(module.register_forward_hook(self.asked, with_kwargs=True))
            elif name.endswith("ShortConv"):
                self.hooks.append(module.register_forward_hook(self.none))

    def replace(self, module, rule):
        def asked(q, k, v, **options):
            self.watch.looks_away = True
            n, heads = v.shape[1:3]
            ones = torch.eye(n, dtype=v.dtype)[None, :, None].expand(1, n, heads, n)
            weights = rule(q, k, ones, **options)[0][0].transpose(0, 1)
            given = rule(q, k, v, **options)
            self.watch.found.append({"attention": weights.double(), "v": v[0].transpose(0, 1).double(),
                                     "context": given[0][0].transpose(0, 1).double()})
            self.watch.looks_away = False
            return given
        module.chunk_gated_delta_rule = asked
        self.undone.append(lambda: setattr(module, "chunk_gated_delta_rule", rule))

    def reads(self, module):
        inner = module.intermediate_size

        def hook(_, args, out):
            if self.values is not None:
                return torch.cat([self.values.reshape(1, -1, inner), out[..., inner:]], -1)
            self.x = out[0, :, :inner].double()
        return hook

    def gives(self, module, args):
        self.given = args[0][0].double()

    def asked(self, module, args, kwargs, out):
        if self.values is not None:
            return
        heads, width, n = module.num_heads, module.head_dim, len(self.given)
        split = lambda rows: rows.reshape(n, heads, width).transpose(0, 1)
        x, y = split(self.x), split(self.given)
        weights = torch.zeros(heads, n, n, dtype=torch.double)
        self.watch.looks_away = True
        for key in range(0, n, width):
            self.values = torch.zeros(n, heads, width, dtype=out.dtype)
            for i in range(min(width, n - key)):
                self.values[key + i, :, i] = 1
            module(*args, **kwargs)
            weights[:, :, key:key + width] = split(self.given)[:, :, :n - key]
        self.values, self.watch.looks_away = None, False
        found = self.beside if type(module).__name__ == "FalconH1Mixer" else self.watch.found
        found.append({"attention": weights, "v": x, "context": y})

    def none(self, module, args, out):
        n = out.shape[1]
        self.watch.found.append({"attention": torch.zeros(0, n, n, dtype=torch.double)})

    def undo(self):
        for undo in self.undone:
            undo()


class Streams:
    """What each layer reads and gives, [n, d], in the order of the pass."""

    def __init__(self, model):
        self.read, self.given, self.hooks = [], [], []
        names = [name for name, module in model.named_modules() if LAYER.search(name) and "experts" not in name
                 and not isinstance(module, torch.nn.ModuleList)]
        for name, module in model.named_modules():
            if type(module).__name__ == "Gemma3nTextDecoderLayer":  # which reads the prediction of one of several streams
                self.hooks.append(module.input_layernorm.register_forward_pre_hook(lambda _, args: self.read.append(args[0][0].clone())))
            elif type(module).__name__ == "Gemma3nTextModel":  # they are merged behind the last
                self.hooks.append(module.norm.register_forward_pre_hook(lambda _, args: self.given.append(args[0][0].clone())))
            elif name in names and not any(name.startswith(outer + ".") for outer in names):
                self.hooks.append(module.register_forward_pre_hook(self.reads, with_kwargs=True))
                self.hooks.append(module.register_forward_hook(lambda _, __, out: self.given.append(only_text(first(out)))))

    def reads(self, _, args, kwargs):
        self.read.append(only_text(args[0] if args else kwargs["hidden_states"]).clone())


def tensors_of(folder):
    return safetensors.torch.load_file(f"{folder}/model.safetensors")


def class_of(folder):
    config = json.loads((folder / "config.json").read_text())
    return getattr(transformers, config["architectures"][0])


def load(folder, dtype=torch.float64):
    """Every tensor of the file is used, and none is missing."""
    config = json.loads((folder / "config.json").read_text())
    if config.get("reorder_and_upcast_attn"):
        dtype = torch.float32  # which its softmax insists on
    how = "sdpa" if config["model_type"] == "falcon" else "eager"  # which adds Falcon's ALiBi twice
    model, told = class_of(folder).from_pretrained(folder, attn_implementation=how, experts_implementation="eager", dtype=dtype,
                                                   output_loading_info=True)
    # A bare model's pooler, which many files lack, is read by nothing that is compared, nor is a part for pictures;
    # sines and rotary frequencies are computed.
    bare = config["architectures"][0].endswith("Model")
    computed = lambda key: re.search("Sinusoidal|Rotary", type(model.get_submodule(key.rpartition(".")[0])).__name__)
    missing = [key for key in told["missing_keys"] if not (bare and "pooler" in key) and not computed(key)
               and not PICTURES.match(key)]
    if missing:
        raise ValueError(f"the real class draws {sorted(missing)} at random")
    for module in model.modules():
        if type(module).__name__ == "DeepseekV2Moe":  # which reads this, and does not set it
            module.num_experts = config["n_routed_experts"]
    for weight in model.parameters():  # some of XLNet's are made as float32 whatever is asked for
        weight.data = weight.data.to(dtype)
    model.eval()
    if hasattr(model.config, "use_cache"):
        model.config.use_cache = False
    return model


def pooled_blocks(config, found, streams):
    """Of Funnel: runs of layers with as many rows and keys."""
    blocks, at = {}, 0
    def add(kind, layers):
        nonlocal at
        part = slice(at, at + layers)
        if layers:
            pools = kind.startswith("pooling")
            blocks[kind] = (found[part], None if pools else streams.read[part], None if pools else streams.given[part])
        at += layers
    for number, (size, times) in enumerate(zip(config.block_sizes, config.block_repeats)):
        alone = 1 if number and config.pool_q_only else 0
        add(f"pooling{number + 1}", alone)
        add(f"block{number + 1}" if number else "self", size * times - alone)
    add("upsampled", len(found) - at)
    return blocks


def blocks_of(config, found, streams, decoder_layers):
    """By kind of attention; the decoder's layers, which are the last, have two each."""
    if config.model_type == "funnel":
        return pooled_blocks(config, found, streams)
    encoder = len(found) - 2 * decoder_layers
    if not decoder_layers:
        return {"self": (found, streams.read, streams.given)}
    return {"encoder": (found[:encoder], streams.read[:encoder], streams.given[:encoder]),
            "decoder": (found[encoder::2], streams.read[encoder:], streams.given[encoder:]),
            "cross": (found[encoder + 1::2], None, None)}


def arrays_of(block):
    found, read, given = block
    attends = [one for one in found if "q" in one]
    states = [one for one in found if "context" in one]
    if len(attends) < len(found):  # as many heads in all layers, of which some have no map
        heads = max(len(one["attention"]) for one in found)
        more = lambda maps: torch.cat([maps, torch.zeros(heads - len(maps), *maps.shape[1:], dtype=maps.dtype)])
        found = [one | {"attention": more(one["attention"])} for one in found]
    if not attends:
        return {"attention": torch.stack([one["attention"] for one in found]), "x": torch.stack(read), "stream": given[-1]}
    last = attends[-1]
    k = last["k"]  # of shared heads all copies are there
    group = next((i for i in range(1, len(k)) if not torch.equal(k[i], k[0])), len(k))
    arrays = {"attention": torch.stack([one["attention"] for one in found]),
              "q": last["q"], "k": last["k"][::group], "v": last["v"][::group]}
    if states:
        arrays |= {"state_v": states[-1]["v"], "state_context": states[-1]["context"]}
    if read:
        arrays |= {"x": torch.stack(read), "stream": given[-1]}
    return arrays


@torch.no_grad()
def watched(model, **inputs):
    """What the model gives, and the blocks of its attentions."""
    n = inputs["input_ids"].shape[-1] if "input_ids" in inputs else None
    watch = Watch()
    streams, answers, states = Streams(model), Answers(model, n, watch), States(model, watch)
    with watch, in_double(model):
        out = model(**inputs)
    for hook in streams.hooks + answers.hooks + states.hooks:
        hook.remove()
    states.undo()
    for rows in (streams.read, streams.given):
        rows[:answers.count] = [one[:n] for one in rows[:answers.count]]
    decoder = model.config.is_encoder_decoder and len(streams.read) > 0 and len(watch.found) - len(streams.read)
    blocks = {kind: arrays_of(block) for kind, block in blocks_of(model.config, watch.found, streams, decoder or 0).items() if block[0]}
    if states.beside:
        blocks["state"] = {"attention": torch.stack([one["attention"] for one in states.beside]),
                           "state_v": states.beside[-1]["v"], "state_context": states.beside[-1]["context"]}
    return out, blocks

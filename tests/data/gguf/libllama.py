"""libllama by ctypes (llama.h of 0.7.0): tokens, logits and states of a GGUF file."""
import ctypes as C

import numpy as np

LLAMA = C.CDLL("libllama.so.0")
C.CDLL("libggml.so.0").ggml_backend_load_all()


class ModelOptions(C.Structure):
    _fields_ = [("devices", C.c_void_p), ("buffers", C.c_void_p)] + \
        [(name, C.c_int32) for name in "gpu_layers split load lazy main".split()] + \
        [(name, C.c_void_p) for name in "tensor_split progress progress_data overrides".split()] + \
        [(name, C.c_bool) for name in "vocab_only check extra no_host no_alloc mtp".split()]


class RunOptions(C.Structure):
    _fields_ = [(name, C.c_uint32) for name in "ctx batch ubatch seq rs outputs outputs_seq".split()] + \
        [(name, C.c_int32) for name in "threads threads_batch type rope pooling attention flash".split()] + \
        [(name, C.c_float) for name in "base scale ext attn fast slow".split()] + \
        [("original", C.c_uint32), ("defrag", C.c_float), ("eval", C.c_void_p), ("eval_data", C.c_void_p),
         ("type_k", C.c_int), ("type_v", C.c_int), ("moe", C.c_size_t), ("abort", C.c_void_p),
         ("abort_data", C.c_void_p)] + \
        [(name, C.c_bool) for name in "embeddings offload no_perf op_offload swa_full unified".split()] + \
        [("samplers", C.c_void_p), ("sampler_count", C.c_size_t), ("other", C.c_void_p)]


class Batch(C.Structure):
    _fields_ = [("count", C.c_int32), ("token", C.POINTER(C.c_int32)), ("embd", C.c_void_p),
                ("pos", C.POINTER(C.c_int32)), ("seqs", C.POINTER(C.c_int32)),
                ("seq", C.POINTER(C.POINTER(C.c_int32))), ("wanted", C.POINTER(C.c_int8))]


def declare(name, result, *arguments):
    function = getattr(LLAMA, name)
    function.restype, function.argtypes = result, arguments
    return function


POINTER, FLOATS, IDS = C.c_void_p, C.POINTER(C.c_float), C.POINTER(C.c_int32)
model_options = declare("llama_model_default_params", ModelOptions)
run_options = declare("llama_context_default_params", RunOptions)
load = declare("llama_model_load_from_file", POINTER, C.c_char_p, ModelOptions)
start = declare("llama_init_from_model", POINTER, POINTER, RunOptions)
vocabulary = declare("llama_model_get_vocab", POINTER, POINTER)
vocabulary_size = declare("llama_vocab_n_tokens", C.c_int32, POINTER)
width = declare("llama_model_n_embd", C.c_int32, POINTER)
tokenize = declare("llama_tokenize", C.c_int32, POINTER, C.c_char_p, C.c_int32, IDS, C.c_int32, C.c_bool, C.c_bool)
new_batch = declare("llama_batch_init", Batch, C.c_int32, C.c_int32, C.c_int32)
decode = declare("llama_decode", C.c_int32, POINTER, Batch)
encode = declare("llama_encode", C.c_int32, POINTER, Batch)
logits_of = declare("llama_get_logits_ith", FLOATS, POINTER, C.c_int32)
states_of = declare("llama_get_embeddings_ith", FLOATS, POINTER, C.c_int32)
quiet = C.CFUNCTYPE(None, C.c_int, C.c_char_p, C.c_void_p)(lambda *_: None)
declare("llama_log_set", None, type(quiet), POINTER)(quiet, None)


class Model:
    def __init__(self, path):
        options = model_options()
        options.gpu_layers, options.extra = 0, False
        self.model = load(path.encode(), options)
        if not self.model:
            raise RuntimeError("llama.cpp does not open " + path)
        self.vocabulary = vocabulary(self.model)

    def tokens(self, text):
        """With what the model adds, and special tokens in the text."""
        data = text.encode()
        ids = (C.c_int32 * (len(data) + 16))()
        return list(ids[:tokenize(self.vocabulary, data, len(data), ids, len(ids), True, True)])

    def logits(self, ids):
        return self.run(ids, decode, logits_of, vocabulary_size(self.vocabulary))

    def states(self, ids):
        """The last layer's, of an encoder."""
        return self.run(ids, encode, states_of, width(self.model))

    def run(self, ids, step, row, columns):
        options = run_options()
        options.ctx = options.batch = options.ubatch = 256
        options.type_k = options.type_v = options.flash = 0  # float32, as written
        options.embeddings, options.swa_full = step is encode, True
        options.pooling = 0 if step is encode else options.pooling
        context = start(self.model, options)
        batch = new_batch(len(ids), 0, 1)
        batch.count = len(ids)
        for i, token in enumerate(ids):
            batch.token[i], batch.pos[i], batch.seqs[i], batch.seq[i][0], batch.wanted[i] = token, i, 1, 0, 1
        if step(context, batch) != 0:
            raise RuntimeError("llama.cpp does not run it")
        return np.array([np.ctypeslib.as_array(row(context, i), (columns,)) for i in range(len(ids))])

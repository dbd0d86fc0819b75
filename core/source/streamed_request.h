#pragma once
#include "core/attention/streamed_pass.h"
#include "core/source/map_source.h"

namespace headscope {

/// What a pass is asked for that reads a map in groups; without dropout.
inline StreamedRequest streamed_request(const MapSource::Groups& groups) {
  StreamedRequest request;
  request.query_group = groups.queries;
  request.key_group = groups.keys;
  request.every = groups.every;
  request.query_begin = groups.query_begin;
  request.query_end = groups.query_end;
  request.key_begin = groups.key_begin;
  request.key_end = groups.key_end;
  request.mean = groups.mean;
  request.progress = groups.progress;
  return request;
}

}  // namespace headscope

#pragma once
// DRAMsim3's trace, read as DRAMsim3 reads it, for its client.

#include "sim/dramsim3_client.h"
#include "trace/dramsim3_text/token_reader.h"

namespace diffram::session {

class TokenFeed final : public sim::ClientFeed {
 public:
  explicit TokenFeed(trace::TokenReader reader) : reader_(std::move(reader)) {}

  Fetched fetch(sim::ClientRequest& request) override {
    trace::TokenRequest tokens{request.address, request.cycle, false};
    const bool was_broken = reader_.is_broken();
    const auto fields = reader_.next(tokens);
    if (!fields) {
      errors_ = fields.error();
      return Fetched::nothing;
    }
    request = {tokens.address, tokens.cycle, tokens.is_write};
    if (*fields == kAllFields) return Fetched::whole;
    if (was_broken || (*fields == 0 && reader_.at_end())) return Fetched::nothing;
    if (!reader_.at_end() || *fields > 0) broken_line_ = reader_.line();
    return Fetched::partly;
  }
  bool at_end() const override { return reader_.at_end(); }
  bool has_failed() const override { return !errors_.empty(); }

  const base::Errors& errors() const { return errors_; }
  bool is_broken() const { return reader_.is_broken(); }
  int broken_line() const { return broken_line_; }  ///< 0: every line was understood

 private:
  static constexpr int kAllFields = 3;
  trace::TokenReader reader_;
  base::Errors errors_;
  int broken_line_ = 0;
};

}  // namespace diffram::session

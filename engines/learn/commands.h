// The subcommands of `fuhyo-learn`, in commands/. Each function adds its subcommand to the root and returns the
// function that runs it: to be called once, after parsing, if the subcommand was given; its value is the exit code.
#pragma once

#include <string>
#include <string_view>

#include "engines/manual/program.h"

namespace fuhyo::learn {

using manual::Command;

Command add_generate(CLI::App& root);          // games of self-play
Command add_self_play_policy(CLI::App& root);  // games of a policy and value network
Command add_play(CLI::App& root);              // plays them for a queue
Command add_gate(CLI::App& root);              // whether a network is better than another one
Command add_train(CLI::App& root);             // a network out of games
Command add_convert(CLI::App& root);           // training data into another format
Command add_inspect(CLI::App& root);           // what is in training data
Command add_aobazero(CLI::App& root);          // AobaZero's archives as training data
Command add_starts(CLI::App& root);            // positions to begin self-play at
Command add_duplicates(CLI::App& root);        // how often positions occur in training data
Command add_shuffle(CLI::App& root);           // training data in another order
Command add_samples(CLI::App& root);           // positions for policy and value networks
Command add_policy(CLI::App& root);            // a policy and value network out of them
Command add_loop(CLI::App& root);              // generations of games, training and tests
Command add_book(CLI::App& root);              // an opening book by search
Command add_othello(CLI::App& root);           // what there is to do with networks for Othello

// Exit codes (sysexits.h where one fits), those of `fuhyo`.
constexpr int kExitOk = 0;
constexpr int kExitFailed = 1;     // it ran, and what it was asked for did not succeed
constexpr int kExitRefused = 3;    // the test did not accept
constexpr int kExitStopped = 130;  // by a signal; the same command goes on
constexpr int kExitUsage = 64;     // wrong flag or value

// "fuhyo-learn: ..." on standard error.
void complain(const std::string& text);
// A line on standard output, at once.
void print_line(std::string_view line);
// Prints that the same command goes on; kExitStopped.
int say_stopped();
// Prints how many games were left out, if any, and the first reasons.
class LeftOut;
void say_left_out(const LeftOut& left_out);

}  // namespace fuhyo::learn

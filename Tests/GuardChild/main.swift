// The program that is traced, patched and preloaded in the tests of the guards.
await ChildRun(CommandLine.arguments.dropFirst()).run()

// The program that is traced, patched and preloaded in the tests of the guards.
#if os(Linux)
    await ChildRun(CommandLine.arguments.dropFirst()).run()
#endif

import TestSupport

// The other processes of the crash tests: a parent starts them, reads what they acknowledge, and kills them.
try await StorageCrashChild.run(CommandLine.arguments.dropFirst())

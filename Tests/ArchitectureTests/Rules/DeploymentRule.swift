/// The layers of protocol and device run on iOS 16 and macOS 13, the platforms of the manifest.
///
/// They are not compiled against Apple's SDK here, so the compiler does not refuse what came later: this list does. It
/// holds what was used once or lies near; the versions are the ones of the interfaces of the Swift 6.3 standard library,
/// of FoundationEssentials, and of the texts of the compiler.
enum DeploymentRule {
    /// Words of interfaces that are newer, with the version of iOS that brought them.
    static let newer: [String: String] = [
        // Synchronization
        "Synchronization": "18", "Mutex": "18", "Atomic": "18", "AtomicLazyReference": "18",
        // Observation
        "Observation": "17", "Observable": "17", "ObservationTracked": "17", "withObservationTracking": "17",
        // Standard library
        "validating": "18", "StaticBigInt": "16.4", "Int128": "18", "UInt128": "18", "RangeSet": "18",
        "DiscontiguousSlice": "18", "removingSubranges": "18", "InlineArray": "26", "UTF8Span": "26", "utf8Span": "26",
        "span": "26", "mutableSpan": "26",
        // Concurrency
        "ExecutorJob": "17", "JobPriority": "17", "DiscardingTaskGroup": "17", "ThrowingDiscardingTaskGroup": "17",
        "withDiscardingTaskGroup": "17", "withThrowingDiscardingTaskGroup": "17", "TaskExecutor": "18",
        "executorPreference": "18", "withTaskExecutorPreference": "18", "globalConcurrentExecutor": "18",
        "checkIsolated": "18", "immediateDetached": "26", "addImmediateTask": "26", "escalatePriority": "26",
        // Foundation
        "Predicate": "17", "encodingInvalidCharacters": "17", "base64URLAlphabet": "18", "preferredLocales": "18",
        // LocalAuthentication
        "domainState": "18",
    ]

    /// What needs a newer runtime though it is no interface, by a pattern.
    private static var constructs: [(rule: String, word: String, pattern: Regex<Substring>)] {
        [
            ("isolated deinit needs iOS 18.4", "deinit", /\bisolated deinit\b/),
            ("parameter packs of types need iOS 17", "each", /\b(?:struct|class|enum|actor)\s+\w+<\s*each\b/),
            ("sequences with a named error need iOS 18", "Async", /\bAsync(?:Sequence|IteratorProtocol)<[^<>]+,/),
            ("functions of any isolation need iOS 18", "@isolated", /@isolated\(any\)/),
        ]
    }

    /// Files that use some of the words where the system is new enough, or for platforms that have them.
    static let guarded: [String: Set<String>] = [
        "Sources/Protocol/Locking/Lock.swift": ["Synchronization", "Mutex"],
        "Sources/Protocol/Octets/ExactText.swift": ["validating"],
        "Sources/Device/HardwareKeys/BlockingThread.swift": ["ExecutorJob"],
        "Sources/Device/MobileAuthentication/Client/LocalData/BlockingBridge.swift": [
            "ExecutorJob", "TaskExecutor", "executorPreference",
        ],
    ]

    static func violations(in file: SourceFile) -> [Violation] {
        guard ["Protocol", "Device"].contains(where: { file.path.hasPrefix("Sources/\($0)/") }) else { return [] }
        let words = file.lines.lines(naming: newer.keys).flatMap { number, line in
            Self.words(of: line).subtracting(guarded[file.path] ?? []).compactMap { word in
                newer[word].map { Violation(file.path, number, "\(word) needs iOS \($0)") }
            }
        }
        return words + constructs.flatMap { file.violations(of: $0.rule, naming: $0.word, where: $0.pattern) }
    }

    /// Words that a file is allowed and does not use.
    static func idleGuards(in files: [SourceFile]) -> [String] {
        guarded.flatMap { path, allowed in
            let used = files.filter { $0.path == path }.flatMap { $0.lines.lines(naming: allowed) }
                .reduce(into: Set<String>()) { $0.formUnion(words(of: $1.text)) }
            return allowed.subtracting(used).map { "\(path): \($0)" }
        }
    }

    private static func words(of line: Substring) -> Set<String> {
        Set(line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    }
}

/// Concurrency is structured and checked by the compiler; what it cannot check carries a proof.
enum ConcurrencyRule {
    /// Files whose state belongs to the process: its pages without a copy on disk, and its queues before a file lock.
    private static let filesOfProcessState: Set = ["SecretOctets", "FileSystem+Waiting"]

    static func violations(in file: SourceFile) -> [Violation] {
        file.violations(
            of: "a queue instead of structured concurrency", naming: "DispatchQueue", where: /\bDispatchQueue\b/)
            + file.violations(of: "a detached task", naming: "Task.detached", where: /\bTask\.detached\b/)
            + file.violations(
                of: "a semaphore can deadlock the pool", naming: "DispatchSemaphore", where: /\bDispatchSemaphore\b/
            ).filter { _ in file.name != "BlockingBridge" }
            + file.violations(
                of: "shared mutable state", naming: "static var shared", "static let shared",
                where: /\bstatic var shared\b|\bstatic let shared\b/)
            + processState(in: file)
            + unproven("@unchecked Sendable", in: file) + unproven("nonisolated(unsafe)", in: file)
    }

    /// Mutable state of the whole process, which two clients or servers would share.
    private static func processState(in file: SourceFile) -> [Violation] {
        guard !filesOfProcessState.contains(file.name) else { return [] }
        return file.violations(
            of: "state of the whole process", naming: "Lock", "Mutex", "Atomic",
            where: /\bstatic let \w+(?:: [^=]+)? = (?:Lock|Mutex|Atomic)\b/)
    }

    /// Uses of `word` without a comment on the lines before.
    private static func unproven(_ word: String, in file: SourceFile) -> [Violation] {
        let uses = file.lines.lines(naming: [word])
        guard !uses.isEmpty else { return [] }
        let commented = Set(file.comments.flatMap { [$0.line, $0.line + 1, $0.line + 2] })
        return uses.filter { !commented.contains($0.number) }.map {
            Violation(file.path, $0.number, "\(word) without a comment that proves it")
        }
    }
}

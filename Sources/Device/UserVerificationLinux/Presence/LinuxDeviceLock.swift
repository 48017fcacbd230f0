package import HardwareKeys

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Password of the own account, as `passwd -S` tells it without a try: an empty one is no lock.
///
/// An account whose password is locked, or is kept elsewhere, may have another way in: then nothing is known, as when the
/// program is missing, fails or is slow.
package struct LinuxDeviceLock: DeviceLock {
    private let program: String
    private let limit: Duration

    /// Takes an absolute path, which no variable of the environment can change, and the time that the program may take.
    package init(program: String = "/usr/bin/passwd", limit: Duration = .seconds(2)) {
        (self.program, self.limit) = (program, limit)
    }

    package func status() async -> DeviceLockStatus {
        let answer = await StatusProgram().answer(of: program, ["-S"], within: limit)
        switch answer?.split(whereSeparator: \.isWhitespace).dropFirst().first {
        case "NP": return .absent
        case "P", "PS": return .present
        default: return .unknown
        }
    }
}

/// Program of the system that answers with one line; it runs without a shell and without an environment.
private actor StatusProgram {
    private static let byteLimit = 512

    private nonisolated let thread = BlockingThread()
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Answer of the program, at most 512 bytes; nil when it fails, or has not ended in time and is killed.
    func answer(of program: String, _ arguments: [String], within limit: Duration) -> String? {
        let end = ContinuousClock.now + limit
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let process = Self.start(program, arguments, writingTo: ends[1])
        close(ends[1])
        guard let process else { return nil }
        let answer = Self.text(from: ends[0], until: end)
        guard Self.hasSucceeded(process, until: answer == nil ? .now : end) else { return nil }
        return answer
    }

    private static func start(_ program: String, _ arguments: [String], writingTo output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var environment = [strdup("LC_ALL=C"), nil]
        defer { for word in words + environment { free(word) } }
        var process: pid_t = 0
        return posix_spawn(&process, program, &actions, nil, &words, &environment) == 0 ? process : nil
    }

    private static func text(from input: Int32, until end: ContinuousClock.Instant) -> String? {
        var bytes: [UInt8] = []
        while bytes.count <= byteLimit {
            var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            let count = left > 0 ? poll(&waiting, 1, Int32(left) + 1) : 0
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            var part = [UInt8](repeating: 0, count: byteLimit + 1)
            let length = read(input, &part, part.count)
            if length < 0, errno == EINTR { continue }
            guard length > 0 else {
                return length == 0 && bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
            }
            bytes += part.prefix(length)
        }
        return nil
    }

    /// Waits for the end of a process, and kills it when it has not ended in time.
    private static func hasSucceeded(_ process: pid_t, until end: ContinuousClock.Instant) -> Bool {
        var status: Int32 = 0
        while true {
            let found = waitpid(process, &status, WNOHANG)
            // The application may wait for every child itself; then nothing is known of how this one has ended.
            if found < 0, errno != EINTR { return false }
            if found == process { return status == 0 }
            guard ContinuousClock.now < end else { break }
            usleep(1_000)
        }
        kill(process, SIGKILL)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return false
    }
}

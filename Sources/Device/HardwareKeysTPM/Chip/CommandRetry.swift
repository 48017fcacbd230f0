import Glibc

/// Sends a command again when the chip asks for it, waiting twice as long each time.
package struct CommandRetry: Sendable {
    /// The rule of production: nine tries within a little more than a second.
    package static let standard = CommandRetry(attempts: 9, pause: { usleep($0 * 1_000) })

    private static let firstPause: UInt32 = 5

    private let attempts: Int
    private let pause: @Sendable (UInt32) -> Void

    /// Sends a command so often at most; `pause` waits so many milliseconds.
    package init(attempts: Int, pause: @escaping @Sendable (UInt32) -> Void) {
        self.attempts = attempts
        self.pause = pause
    }

    /// The last answer.
    package func answer(to command: () -> UInt32) -> ResponseCode {
        var milliseconds = Self.firstPause
        for _ in 1..<attempts {
            let code = ResponseCode(command())
            guard code.asksForPatience else { return code }
            pause(milliseconds)
            milliseconds *= 2
        }
        return ResponseCode(command())
    }
}

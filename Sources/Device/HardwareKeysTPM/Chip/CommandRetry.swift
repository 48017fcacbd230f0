import Glibc

/// Sends a command again when the chip asks for it, waiting twice as long each time.
struct CommandRetry: Sendable {
    /// The rule of production: nine tries within a little more than a second.
    static let standard = CommandRetry(attempts: 9) { usleep($0 * 1_000) }

    private static let firstPause: UInt32 = 5

    /// How often a command is sent at most.
    let attempts: Int
    /// Waits so many milliseconds.
    let pause: @Sendable (UInt32) -> Void

    /// The last answer.
    func answer(to command: () -> UInt32) -> ResponseCode {
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

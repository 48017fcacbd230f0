struct Countdown {
    private static let clearLine = "\r\u{1B}[K"

    let terminal: Terminal

    /// Waits for `seconds`; ends early when the task is cancelled.
    func run(seconds: Int) async {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        var left = seconds
        while left > 0, !Task.isCancelled {
            terminal.control(Self.clearLine + "Wait \(left) s ")
            let next = end - .seconds(left - 1)
            guard (try? await clock.sleep(until: next)) != nil else { break }
            left -= 1
        }
        terminal.control(Self.clearLine)
    }
}

/// The parts of an operation that are not the SDK's own work.
struct Stopwatches: Sendable {
    /// Between a question and its answer.
    let user = Stopwatch()
    /// In the vault that holds the keys.
    let hardware = Stopwatch()
    /// In the store of credentials, with its waits for the disk.
    let disk = Stopwatch()
    /// Between a request and its response.
    let network = Stopwatch()

    /// Begins all at nothing.
    func reset() {
        for watch in [user, hardware, disk, network] { watch.reset() }
    }
}

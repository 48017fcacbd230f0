/// Stopwatches of the parts of an operation that are not the SDK's own work.
struct Stopwatches: Sendable {
    /// Time between a question and its answer.
    let user = Stopwatch()
    /// Time in the vault that holds the keys.
    let hardware = Stopwatch()
    /// Time in the store of credentials, including its waits for the disk.
    let disk = Stopwatch()
    /// Time between a request and its response.
    let network = Stopwatch()

    /// Sets all totals to zero.
    func reset() {
        for watch in [user, hardware, disk, network] { watch.reset() }
    }
}

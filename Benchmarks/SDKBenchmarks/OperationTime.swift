/// Duration of one run of an operation, in milliseconds, with its parts.
struct OperationTime {
    let total: Double
    let user: Double
    let vault: Double
    let disk: Double
    let network: Double
    /// Processor time of all threads of this process, including the vault, the store and the client's side of the
    /// network.
    let processor: Double

    /// Reads the present values of the stopwatches.
    init(total: Duration, processor: Double, _ watches: Stopwatches) {
        self.total = total / .milliseconds(1)
        self.processor = processor
        user = watches.user.total / .milliseconds(1)
        vault = watches.hardware.total / .milliseconds(1)
        disk = watches.disk.total / .milliseconds(1)
        network = watches.network.total / .milliseconds(1)
    }

    /// Remainder of the total: the work of the SDK itself.
    var remainder: Double { total - user - vault - disk - network }
}

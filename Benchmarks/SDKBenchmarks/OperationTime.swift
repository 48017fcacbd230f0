/// What one run of an operation took, in milliseconds.
struct OperationTime {
    let total: Double
    let user: Double
    let vault: Double
    let disk: Double
    let network: Double
    /// What all threads of this process worked, the vault, the store and the client's side of the network included.
    let processor: Double

    /// Reads the stopwatches as they stand.
    init(total: Duration, processor: Double, _ watches: Stopwatches) {
        self.total = total / .milliseconds(1)
        self.processor = processor
        user = watches.user.total / .milliseconds(1)
        vault = watches.hardware.total / .milliseconds(1)
        disk = watches.disk.total / .milliseconds(1)
        network = watches.network.total / .milliseconds(1)
    }

    /// What is left: the work of the SDK itself.
    var remainder: Double { total - user - vault - disk - network }
}

/// What one run of an operation took, in milliseconds.
struct OperationTime {
    let total: Double
    let user: Double
    let vault: Double
    let disk: Double
    let network: Double

    /// Reads the stopwatches as they stand.
    init(total: Duration, _ watches: Stopwatches) {
        self.total = total / .milliseconds(1)
        user = watches.user.total / .milliseconds(1)
        vault = watches.hardware.total / .milliseconds(1)
        disk = watches.disk.total / .milliseconds(1)
        network = watches.network.total / .milliseconds(1)
    }

    /// What is left: the work of the SDK itself.
    var remainder: Double { total - user - vault - disk - network }
}

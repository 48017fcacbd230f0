import HardwareKeys

/// Where transactions with PAM wait for their turn: one after the other, on a thread of their own.
///
/// PAM blocks (its modules read files, ask servers, and wait some seconds after a wrong passcode), and must not do so on
/// the threads that all tasks share.
actor PAMDesk {
    private nonisolated let thread = BlockingThread()

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Carries a transaction out; nil when it is no longer wanted once its turn has come.
    func verify(
        _ passcode: Passcode, with transaction: PAMTransaction, unless isUnwanted: @Sendable () -> Bool
    ) -> PAMAnswer? {
        isUnwanted() ? nil : transaction.verify(passcode)
    }
}

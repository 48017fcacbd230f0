/// Carries out what a machine asks for until the machine has finished.
package enum OperationRunner {
    /// Whether the operation was canceled before its turn came: then nothing of it is performed, because another one is
    /// at work.
    @TaskLocal static var isTurnedAway = false

    /// Runs a machine to its end.
    ///
    /// A canceled task performs nothing more but what outlives cancellation; the machine learns of it by an event.
    package static func run<Machine: OperationMachine & ~Copyable>(
        _ machine: consuming Machine, performing perform: (Machine.Effect) async -> Machine.Event
    ) async throws(Machine.Failure) -> Machine.Output {
        var step = machine.start()
        while true {
            switch step {
            case .finish(let result): return try result.get()
            case .perform(let effect):
                let isOver = isTurnedAway || Task.isCancelled && !effect.outlivesCancellation
                step = machine.resume(isOver ? Machine.cancellation : await perform(effect))
            }
        }
    }
}

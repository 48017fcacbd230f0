import HardwareKeys
import Locking
import UAF
import UAFClient

/// Control of the sensor by the application.
///
/// Pausing ends the scan that runs; resuming begins another one.
final class Listening: OsAuthenticationListenHandler {
    private enum State {
        /// The sensor is read, or about to be.
        case active(stop: (@Sendable () -> Void)?)
        case paused(OneShot<UserAnswer<Void>>)
        case canceled
    }

    private let state = Lock(State.active(stop: nil))

    func pauseListening() {
        let stop: (@Sendable () -> Void)? = state.withLock { state in
            guard case .active(let stop) = state else { return nil }
            state = .paused(OneShot())
            return stop
        }
        stop?()
    }

    func resumeListening() {
        let waiting: OneShot<UserAnswer<Void>>? = state.withLock { state in
            guard case .paused(let slot) = state else { return nil }
            state = .active(stop: nil)
            return slot
        }
        waiting?.fill(.given(()))
    }

    func cancelAuthentication() {
        let (stop, waiting): ((@Sendable () -> Void)?, OneShot<UserAnswer<Void>>?) = state.withLock { state in
            let before = state
            state = .canceled
            return switch before {
            case .active(let stop): (stop, nil)
            case .paused(let slot): (nil, slot)
            case .canceled: (nil, nil)
            }
        }
        stop?()
        waiting?.fill(.canceled)
    }

    /// Scans until a scan ends by itself; what a pause has interrupted is begun again.
    ///
    /// An interrupted scan may end after the application has resumed: the scan knows whether it was interrupted, not the state.
    func run<Value: Sendable>(
        _ scan: @escaping @Sendable () async -> Result<Value, CeremonyFailure>
    ) async -> Result<Value, CeremonyFailure> {
        while await mayScan() {
            let attempt = Task { await scan() }
            let isInterrupted = Lock(false)
            note(stop: {
                isInterrupted.withLock { $0 = true }
                attempt.cancel()
            })
            let result = await withTaskCancellationHandler {
                await attempt.value
            } onCancel: {
                attempt.cancel()
            }
            guard case .failure(.fido(.userCancelled, _)) = result, isInterrupted.withLock({ $0 }), !Task.isCancelled
            else { return result }
        }
        return .failure(.canceled)
    }

    /// Waits out a pause; false when the application has given up.
    private func mayScan() async -> Bool {
        let pause: UserAnswer<OneShot<UserAnswer<Void>>> = state.withLock { state in
            switch state {
            case .active: .timedOut
            case .paused(let slot): .given(slot)
            case .canceled: .canceled
            }
        }
        switch pause {
        case .timedOut: return !Task.isCancelled
        case .canceled, .denied: return false
        case .given(let slot):
            let answer = await withTaskCancellationHandler {
                await slot.value()
            } onCancel: {
                slot.fill(.canceled)
            }
            if case .given = answer { return await mayScan() }
            return false
        }
    }

    /// Keeps the closure that ends the scan just begun; ends the scan when the application has paused or canceled
    /// already.
    private func note(stop: @escaping @Sendable () -> Void) {
        let isTooLate = state.withLock { state in
            guard case .active = state else { return true }
            state = .active(stop: stop)
            return false
        }
        if isTooLate { stop() }
    }
}

/// Handler for a dialog or sensor that cannot be controlled.
struct ListeningWithoutControl: OsAuthenticationListenHandler {
    func pauseListening() {}

    func resumeListening() {}

    func cancelAuthentication() {}
}

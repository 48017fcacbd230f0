package import BackendAPI
package import Logging
import NIOCore
package import ServerCore

/// Push dispatcher (`firebase-cloud-messaging`): sealed payloads through the push service (HTTP v1).
package struct PushDispatcher: Dispatcher {
    /// Ports of the dispatcher.
    package struct Ports: Sendable {
        let clock: any WallClock
        let timer: any PushTimer
        let random: any RandomSource
        let logger: Logger

        package init(
            clock: any WallClock, timer: any PushTimer = SystemPushTimer(), random: any RandomSource, logger: Logger
        ) {
            self.clock = clock
            self.timer = timer
            self.random = random
            self.logger = logger
        }
    }

    private let service: FCMService
    private let plan: RetryPlan
    private let isDryRun: Bool
    private let ports: Ports

    /// Connects nothing yet; the first message fetches the first access token.
    ///
    /// `trustedCertificates` is the PEM text of more issuers than the system knows. Throws ``ServerPushError``.
    package init(
        settings: FirebaseSettings, account file: [UInt8], trustedCertificates: [UInt8]?, plan: RetryPlan = RetryPlan(),
        ports: Ports
    ) throws(ServerPushError) {
        service = try FCMService(
            settings: settings, account: file, trustedCertificates: trustedCertificates, plan: plan, ports: ports)
        self.plan = plan
        isDryRun = settings.isDryRun
        self.ports = ports
    }

    package var name: DispatcherName { .firebaseCloudMessaging }
    package var requiresTarget: Bool { true }
    package var requiresEncryption: Bool { true }

    package func dispatch(_ parcel: DispatchPayload) async -> DispatchDelivery {
        // Plain content is refused here too: the operator of the push service would read it.
        guard case .token(let registrationToken)? = parcel.destination,
            parcel.envelope.contentType == MediaType.jose.essence
        else { return .failed(.refused) }
        let message = FCMMessage(parcel, registrationToken: registrationToken, isDryRun: isDryRun)
        return await deliver(message)
    }

    package func announce(
        _ notification: DispatchPayload.Notification, to destination: PushDestination
    ) async -> DispatchDelivery {
        guard case .token(let registrationToken) = destination else { return .failed(.refused) }
        return await deliver(FCMMessage(notification, registrationToken: registrationToken, isDryRun: isDryRun))
    }

    private func deliver(_ message: FCMMessage) async -> DispatchDelivery {
        let start = ports.timer.elapsed()
        var failures = 0
        while let time = plan.timeForAttempt(elapsed: ports.timer.elapsed() - start) {
            switch await service.send(message, within: time) {
            case .done(let delivery): return delivery
            case .tryAgain(let asked):
                failures += 1
                let pause = plan.pause(
                    afterFailures: failures, asked: asked, chance: ports.random.bytes(count: 1).first ?? 0,
                    elapsed: ports.timer.elapsed() - start)
                guard let pause, await wait(pause) else { return gaveUp(after: failures) }
            }
        }
        return gaveUp(after: failures)
    }

    private func wait(_ pause: Duration) async -> Bool {
        do {
            try await ports.timer.pause(for: pause)
            return true
        } catch {
            return false
        }
    }

    private func gaveUp(after failures: Int) -> DispatchDelivery {
        ports.logger.warning("push service unavailable", metadata: ["attempts": .stringConvertible(failures)])
        return .failed(.unavailable)
    }
}

/// The timer of the machine; it goes on while the machine sleeps.
package struct SystemPushTimer: PushTimer {
    private let start = ContinuousClock.now

    package init() {}

    package func elapsed() -> Duration { ContinuousClock.now - start }

    package func pause(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}

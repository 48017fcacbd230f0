import PushSink
import ServerCore
import ServerPush
import TestSupport

/// Dispatchers that talk to no server.
enum Stages {
    static func dispatcher(
        _ settings: FirebaseSettings, tokenOrigin: String, timer: VirtualTimer
    ) throws -> PushDispatcher {
        try PushDispatcher(
            settings: settings, account: SampleAccount.account().json(origin: tokenOrigin),
            trustedCertificates: nil, plan: .patient,
            ports: .init(clock: ManualClock(), timer: timer, random: SystemRandomSource(), logger: RecordedLog().logger)
        )
    }
}

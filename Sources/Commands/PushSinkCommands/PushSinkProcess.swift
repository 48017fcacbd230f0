import CommandSupport
import FoundationEssentials
import Hummingbird
import Logging
import PushSink
import ServerCommandSupport
import ServerCore
import ServerHTTP
import ServiceLifecycle
import StrictJSON
import UnixSignals

struct PushSinkProcess {
    let address: ListenerAddress
    let certificates: CertificateFolder
    let accountFile: ServiceAccountFile
    let readyFile: String?
    let logger: Logger

    /// Serves until a signal ends it; waiting long polls are ended after a second.
    func run() async throws {
        let account = try accountFile.account()
        let identity = try certificates.identity(now: Date.now)
        var address = address
        let taken = try address.takeFreePort()
        defer { withExtendedLifetime(taken) {} }
        // Before the sink listens, so that clients that wait for the port find the file.
        try accountFile.write(account, origin: "https://" + address.authority)
        let sink = PushSink(
            account: account, clock: SystemWallClock(), random: SystemRandomSource(), logger: logger)
        let application = try sink.application(address: address, identity: identity) { origin in announce(origin) }
        var configuration = ServiceGroupConfiguration(
            services: [.init(service: SecondSignal()), .init(service: application)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(1)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch is SecondSignal.Impatience {
            logger.notice("stopped at once")
        }
        logger.notice("stopped")
    }

    private func announce(_ origin: String) {
        logger.notice(
            "ready",
            metadata: [
                "url": "\(origin)", "caFile": "\(certificates.authorityFile)", "serviceAccount": "\(accountFile.path)",
            ])
        guard let readyFile else { return }
        let content: JSONObject = [
            "url": .string(origin), "port": .integer(Int(origin.split(separator: ":").last ?? "") ?? 0),
            "caFile": .string(certificates.authorityFile), "serviceAccount": .string(accountFile.path),
        ]
        do throws(PosixFiles.Failure) {
            try PosixFiles().write(JSONWriter.write(.object(content)), to: readyFile, mode: 0o644)
        } catch {
            logger.error("ready file", metadata: ["error": "\(error)"])
        }
    }
}

import CommandSupport
import Logging
import ServerCore
import ServerPush
import StrictYAML
import UAFService

enum ConfiguredDispatchers {
    /// One dispatcher for each of the settings, in their order.
    ///
    /// Throws a ``CommandFailure`` that names the file that cannot be used.
    static func open(
        _ all: [DispatcherSettings], files: any FileReading = PosixFiles(), logger: Logger
    ) throws(CommandFailure) -> Dispatchers {
        var dispatchers: [any Dispatcher] = []
        let ports = PushDispatcher.Ports(clock: SystemWallClock(), random: SystemRandomSource(), logger: logger)
        for settings in all {
            switch settings.channel {
            case .firebaseCloudMessaging(let firebase):
                dispatchers.append(try self.firebase(firebase, files, ports))
            case .link(let address):
                dispatchers.append(
                    LinkDispatcher(address: address, requiresEncryption: settings.requiresEncryption))
            case .pngQRCode:
                dispatchers.append(
                    QRCodeDispatcher(link: nil, requiresEncryption: settings.requiresEncryption, logger: logger))
            case .linkPNGQRCode(let address):
                dispatchers.append(
                    QRCodeDispatcher(link: address, requiresEncryption: settings.requiresEncryption, logger: logger))
            }
        }
        return Dispatchers(dispatchers, from: all)
    }

    private static func firebase(
        _ settings: FirebaseSettings, _ files: any FileReading, _ ports: PushDispatcher.Ports
    ) throws(CommandFailure) -> PushDispatcher {
        let account = try contents(of: settings.serviceAccountFile, files)
        var certificates: [UInt8]?
        if let file = settings.trustedCertificatesFile { certificates = try contents(of: file, files) }
        do throws(ServerPushError) {
            return try PushDispatcher(
                settings: settings, account: account, trustedCertificates: certificates, ports: ports)
        } catch {
            throw CommandFailure(push: error, settings)
        }
    }

    private static func contents(
        of path: String, _ files: any FileReading
    ) throws(CommandFailure) -> [UInt8] {
        guard let bytes = files.contents(of: path) else {
            throw CommandFailure.local("fileUnusable", "cannot read \(path)")
        }
        return bytes
    }
}

extension CommandFailure {
    fileprivate init(push error: ServerPushError, _ settings: FirebaseSettings) {
        let file = settings.serviceAccountFile
        let message =
            switch error {
            case .unusableServiceAccount(.malformed): "\(file) is no JSON document"
            case .unusableServiceAccount(.member(let name)): "\(file) has no usable \"\(name)\" of a service account"
            case .unusableServiceAccount(.privateKey): "\(file) holds no RSA key of 2048 to 4096 bits"
            case .unusableCertificates: "\(settings.trustedCertificatesFile ?? "") holds no readable certificates"
            case .unusableAddress: "the push service has no usable address"
            }
        self = .local("invalidConfiguration", message)
    }
}

package import CommandSupport
import Foundation
import HTTPEngine
import ServerConfiguration
import ServerCore
import ServerHTTP
import StrictYAML

extension CommandFailure {
    package init(operating error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as ConfigurationError: self = .local("invalidConfiguration", error.description)
        case let error as PasskeyListError: self = .local("invalidMetadata", error.description)
        case let error as PosixFiles.Failure: self = .local("fileUnusable", error.description)
        case let error as ServerError: self.init(service: error)
        case let error as ServerIdentityError: self = .local("listenerUnusable", Self.words(for: error))
        case let error as ServerHTTPError: self = .local("listenerUnusable", Self.words(for: error))
        default: self = .local("failed", "\(error)")
        }
    }

    private static func words(for error: ServerIdentityError) -> String {
        switch error {
        case .unusableCertificate: "the certificate or its private key cannot be used (server.tls)"
        case .unusableAuthority:
            "the server's own authority (tls/ca.pem and tls/ca.key in the data directory) cannot be read: remove the "
                + "folder tls, and give the new ca.pem to the phones"
        @unknown default: "the certificate cannot be used: \(error)"
        }
    }

    private static func words(for error: ServerHTTPError) -> String {
        switch error {
        case .plainListenerOutsideLoopback:
            "plain HTTP is for loopback addresses only; give a certificate (tls), or listen on 127.0.0.1"
        case .addressUnusable(let address, let number):
            number == EADDRINUSE
                ? "another program listens on \(address) already: stop it, or choose another port "
                    + "(serve --port, --management-port, or server.port and management.server.port)"
                : "the system does not let the server listen on \(address): \(String(cString: strerror(number)))"
        case .addressUnknown(let address): "\(address) is no address of this machine (server.host)"
        @unknown default: "the listener cannot be opened: \(error)"
        }
    }

    private init(service error: ServerError) {
        switch error {
        case .credentialUnknown: self = .refused("credentialUnknown", "the user has no such credential")
        case .targetUnknown: self = .refused("targetUnknown", "there is no such dispatch target")
        case .wrongMasterKey:
            self = .local("wrongMasterKey", "the master key file is not the one this database was made with")
        case .invalidMasterKey: self = .local("invalidMasterKey", "the master key file must hold 32 bytes")
        case .invalidMetadata(let name, let problem):
            self = .local("invalidMetadata", "\(name) holds no readable metadata statements: \(problem)")
        case .invalidSetting(let name):
            self = .local("invalidConfiguration", "the setting \(name) cannot be used")
        case .storageUnavailable:
            self = .local("databaseUnusable", "the database does not answer; try again later", isRetryable: true)
        // Answers of services, which commands get from the administration.
        default: self = .local("failed", "\(error)")
        }
    }
}

package import CommandSupport
import Foundation
import HTTPEngine
import ServerCore
import ServerHTTP
import StrictYAML

extension CommandFailure {
    package init(operating error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as ConfigurationError: self = .local("invalidConfiguration", error.description)
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
        case .userExists: self = .refused("userExists", "there is a user with this name or external id already")
        case .userUnknown: self = .refused("userUnknown", "there is no such user")
        case .nameAlike(let other): self = .alike(other)
        case .invalidName: self = .refused("invalidName", "a name has 1 to 128 visible characters, no stray blanks")
        case .invalidPassword: self = .refused("invalidPassword", "a password has 1 to 1024 bytes")
        case .credentialUnknown: self = .refused("credentialUnknown", "the user has no such credential")
        case .targetUnknown: self = .refused("targetUnknown", "there is no such dispatch target")
        case .targetNameInUse:
            self = .refused("targetNameInUse", "another dispatch target of the user has this name")
        case .malformedRequest:
            self = .refused("malformedRequest", "there is no such policy, or the text cannot be confirmed on a phone")
        case .policyViolation:
            self = .refused("policyViolation", "the configuration asks for a stronger way of linking")
        case .tooManyOperations(let time):
            self = .refused(
                "tooManyOperations",
                "another operation of the user is pending, or the user was asked too often; "
                    + "try again in \(time.components.seconds) s")
            isRetryable = true
        case .quietHours(let time):
            self = .refused(
                "quietHours",
                "nothing is pushed at this time of the day; take a link or a QR code, or wait \(time.components.seconds) s"
            )
            isRetryable = true
        case .wrongMasterKey:
            self = .local("wrongMasterKey", "the master key file is not the one this database was made with")
        case .invalidMasterKey: self = .local("invalidMasterKey", "the master key file must hold 32 bytes")
        case .invalidMetadata(let name, let problem):
            self = .local("invalidMetadata", "\(name) holds no readable metadata statements: \(problem)")
        case .invalidSetting(let name):
            self = .local("invalidConfiguration", "the setting \(name) cannot be used")
        case .storageUnavailable:
            self = .local("databaseUnusable", "the database does not answer; try again later", isRetryable: true)
        // Answers to requests over the network; no command meets them.
        case .refused, .unauthorized, .throttled, .overloaded, .undelivered, .signingFailed, .sealingFailed,
            .notConfigured, .tooManyTargets, .dispatcherUnknown, .forbidden, .signatureInvalid, .requestReplayed,
            .clockSkewTooBig:
            self = .local("failed", "\(error)")
        }
    }

    private static func alike(_ other: String) -> CommandFailure {
        .refused(
            "nameAlike",
            "people would take the name for \(ForeignText.name(other)); give --although-alike to add it")
    }
}

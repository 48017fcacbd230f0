import BackendTransport
package import CommandSupport
import Foundation
import HardwareKeys
import MobileAuthentication

extension Program {
    package static let phone = Program(name: "signet") { CommandFailure(reporting: $0) }
}

extension CommandFailure {
    package init(reporting error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as any MobileAuthenticationClientError: self.init(sdk: error)
        case let error as BackendTransportError: self = .unreachable(error)
        case let error as VirtualDeviceError: self.init(device: error)
        case let error as FileSystemError:
            self = .local("FileError", "the device folder cannot be used: \(error.description)")
        default: self = .local("Unknown", error.localizedDescription)
        }
    }

    static func unreachable(_ error: BackendTransportError) -> CommandFailure {
        .local("NetworkError", "no answer from the server: \(error.words)", isRetryable: error.isPassing)
    }

    private init(device error: VirtualDeviceError) {
        switch error {
        case .notInitialized:
            self = .local("NoDevice", "there is no phone in this folder: make one with signet device init")
        case .alreadyInitialized: self = .local("DeviceExists", "there is a phone in this folder already")
        case .outdated:
            self = .local("DeviceOutdated", "the phone has another form: delete its folder and init it again")
        case .invalidBundleID: self = .local("BadBundleID", "a bundle id has letters, digits, hyphens and dots")
        case .invalidKeyHash:
            self = .local("BadKeyHash", "the hash of a signing certificate has 27 characters of Base64")
        case .fixedApplication:
            self = .local("FixedApplication", "the name of a Linux application is compiled in and cannot be given")
        case .busy:
            self = .local("DeviceBusy", "another command has used this phone for ten seconds", isRetryable: true)
        case .exposed:
            self = .local("DeviceExposed", "others may read the folder: take their rights away (chmod -R go=)")
        case .storageFailed(let code): self = .local("StorageFailed", "the folder cannot be used (errno \(code))")
        case .client(let error): self.init(sdk: error)
        case .unusableKeys(let error) where DamagedFileError(behind: error) != nil:
            self = .local(Self.damageCode, Self.damage)
        case .unusableKeys(let error as KeyVaultError): self.init(keys: error)
        case .unusableKeys(let error):
            self =
                StoredKeysError(behind: error).map(CommandFailure.init(stored:))
                ?? .local("KeysUnusable", "the keys of this phone cannot be opened")
        }
    }

    /// Machine code of an error that a damaged file has caused.
    static let damageCode = "FileDamaged"

    private static let damage =
        "a file of this phone is damaged, and it cannot be opened; what the servers have is not. Put an undamaged copy of "
        + "the folder back, or give the phone up: signet device destroy, init again, and register by an invitation"

    private init(stored error: StoredKeysError) {
        let anew =
            "signet device destroy and a new init begin anew; the server still has the public keys, which its help desk takes "
            + "away (signet-server devices remove), and an invitation registers the new phone"
        self =
            switch error {
            case .olderCopy:
                .local(
                    "KeysRolledBack",
                    "the files of this phone are older than its last use, because a copy was put back: put the newest ones "
                        + "back; without them \(anew)")
            case .lostLedger:
                .local(
                    "KeyLedgerLost",
                    "the file .ledger.sst of this phone is gone, by which the TPM tells the newest files: put it back; "
                        + "without it \(anew)")
            case .lostCounter:
                .local(
                    "KeyCounterLost",
                    "the counter in the TPM that guards the files of this phone was removed, and nothing brings it back: "
                        + anew)
            }
    }

    init(keys error: KeyVaultError) {
        switch error {
        case .hardwareUnavailable:
            self = .local(
                "HardwareUnavailable", "the TPM that holds the keys of this phone does not answer", isRetryable: true)
        case .hardwareBusy: self = .local("HardwareBusy", "the TPM is busy; try again", isRetryable: true)
        case .hardwareOccupied:
            self = .local(
                "HardwareOccupied",
                "the working memory of the TPM is full of what ended programs left: use \(DeviceKeys.systemConnection), or "
                    + "flush it with signet doctor --tpm --tcti TCTI")
        case .hardwareFull:
            self = .local(
                "HardwareFull", "the TPM has no room for another counter; signet doctor --tpm shows what takes it")
        case .ownerAuthorizationRequired:
            self = .local(
                "HardwareOwned", "the owner of the TPM has set an authorization that this program does not know")
        case .unrecoverable:
            self = .local(
                "KeysLost",
                "the TPM was cleared or replaced, and the keys are lost: delete the folder and init again; the server still "
                    + "has the public keys, which its help desk takes away (signet-server devices remove), and an "
                    + "invitation registers the new phone")
        case .notInitialized, .alreadyInitialized, .unknownKey, .duplicateKey, .unsupportedRequirements, .wrongUse,
            .wrongSecret, .lockedOut, .userPresence, .invalidPublicKey, .exposed, .damaged, .deviceLocked,
            .hardwareFailed, .newerFormat, .busy, .storageFailed:
            self = .local("KeysUnusable", "the keys of this phone cannot be opened")
        }
    }

    /// Status of a server that does not take what application or chip have shown, or misses it.
    private static let refusedAttestation = 1496

    private init(sdk error: any MobileAuthenticationClientError) {
        if let cause = error.cause as? StoredKeysError {
            self.init(stored: cause)
            return
        }
        let status = (error.cause as? ServerStatus)?.code
        let isRefusal =
            error.fidoErrorCode != nil || (error.cause as? HTTPStatusError)?.statusCode == 401 || Self.isAbsence(error)
            || Self.isRefusedToken(error) || status == Self.refusedAttestation
        self.init(
            kind: isRefusal ? .refused : .local, code: Self.code(of: error), message: Self.sentence(for: error),
            fidoErrorCode: error.fidoErrorCode.map { Int($0.rawValue) }, uafStatus: status,
            isRetryable: error.isRetryable, advice: RecoveryAdvice(for: error))
    }

    /// Whether there is no secret that could be changed.
    private static func isAbsence(_ error: any MobileAuthenticationClientError) -> Bool {
        switch error {
        case PinChangeError.PinNotEnrolled, PasswordChangeError.PasswordNotEnrolled: true
        default: false
        }
    }

    /// Whether the server has refused the token of a QR code, link or push message, because it was used or has expired.
    private static func isRefusedToken(_ error: any MobileAuthenticationClientError) -> Bool {
        switch error {
        case OutOfBandOperationError.TokenAlreadyRedeemed, OutOfBandOperationError.TokenExpired: true
        default: false
        }
    }

    private static func sentence(for error: any MobileAuthenticationClientError) -> String {
        let connection = BackendTransportError(behind: error.cause)
        let cause =
            (error.cause as? any LocalizedError)?.errorDescription
            ?? connection.map { "The connection failed: \($0.words)." }
        // The description of such an error repeats its cause.
        let isTold = error.cause is ServerStatus || error.errorDescription == cause
        let advice =
            RecoveryAdvice(for: error)?.commandText ?? (connection == nil ? error.recoverySuggestion : nil)
        return [isTold ? nil : error.errorDescription, cause, advice].compactMap(\.self).joined(separator: " ")
    }
}

extension RecoveryAdvice {
    /// Remedy for an error of the SDK; nil where the error's own description contains it.
    init?(for error: any MobileAuthenticationClientError) {
        let status = (error.cause as? ServerStatus)?.code
        switch (error, error.fidoErrorCode) {
        case (PinChangeError.PinLocked, _), (PasswordChangeError.PasswordLocked, _): self = .registerAgain
        case (_, .userLockout), (_, .keyDisappearedPermanently): self = .registerAgain
        case (is AuthenticationError, _) where status == 1481: self = .registerAgain
        case (is OperationError, .protocolError) where status == 1401: self = .addToRegisteredUser
        case (_, .noSuitableAuthenticator) where error.cause is UnregisteredUserError: self = .registerHere
        default: return nil
        }
    }
}

extension BackendTransportError {
    /// Reason for the missing response and its remedy, as part of a sentence.
    var words: String {
        switch self {
        case .unusableAddress: "this is no address; an address looks like https://login.example.com"
        case .insecureAddress: "the address does not begin with https://"
        case .refusedHost: "a signet of the debug flavour talks to loopback and private hosts only"
        case .unusableHeaderField: "a header field holds a character that would end it"
        case .unknownHost: "the name of the server has no address; check its spelling, and the network"
        case .closedPort: "nothing listens at that port; check that the server runs, and the port"
        case .noConnection: "no server answers at the address, or the connection broke; signet doctor tells more"
        case .untrustedConnection(.wrongHost): "the certificate is for another name; signet doctor tells which"
        case .untrustedConnection(.pinMismatch): "the server has another key than the ones agreed on (pins)"
        case .untrustedConnection(.handshake):
            "it speaks no TLS 1.2 or 1.3 that this phone knows; signet doctor tells more"
        case .untrustedConnection:
            "the issuer of its certificate is unknown here; for a server with its own authority give --ca; signet doctor "
                + "tells more"
        case .timedOut: "the time was up; the server or the network is slow or stuck"
        case .responseTooLarge(let limit):
            "the answer has more than \(limit) bytes; it does not come from a Signet server"
        case .malformedResponse: "the answer is not HTTP; check host and port"
        case .unusableTrustSettings: "the file of certificates cannot be used (--ca)"
        case .cancelled: "it was cancelled"
        @unknown default: description
        }
    }
}

extension CommandFailure {
    var fidoName: String? {
        fidoErrorCode.flatMap { UInt8(exactly: $0) }.flatMap(FidoErrorCode.init)?.name
    }
}

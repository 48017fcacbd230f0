import ArgumentParser
import CommandSupport
import Foundation
import HardwareKeys
import MobileAuthentication
import StrictJSON

struct DeviceInit: AsyncParsableCommand {
    /// Protection of the phone's keys, in the words of the SDK (`KeyVaultChoice`).
    enum Keys: String, ExpressibleByArgument, CaseIterable {
        /// A TPM 2.0; without one no phone is created.
        case hardware
        /// A TPM 2.0, or encrypted files on a machine that has none for this account.
        case preferHardware = "prefer-hardware"
        /// Encrypted files, which are only as safe as the account that owns them.
        case software
    }

    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make a new phone in a folder.")

    @OptionGroup var phone: PhoneOptions

    @Option(help: ArgumentHelp("The address of the server.", valueName: "URL"))
    var server: String

    @Option(help: ArgumentHelp("Certificates (PEM) to trust besides the system's.", valueName: "FILE"))
    var ca: String?

    @Option(
        help: """
            Where to keep the keys: hardware (default; a TPM 2.0 that counts wrong PINs and gives no key out), software \
            (files; a copy of them is a copy of the keys), or prefer-hardware (a TPM if there is one, otherwise files, \
            with a warning; decided once, here).
            """)
    var keys = Keys.hardware

    @Option(
        help: ArgumentHelp(
            "The connection to the TPM (default \(DeviceKeys.systemConnection)).", valueName: "TCTI"))
    var tcti: String?

    @Option(
        help: """
            Which family of authenticators the phone presents to servers: ios (default), android, or linux, which says \
            truthfully whether keys lie in a TPM or in software.
            """)
    var profile = DeviceFamily.ios

    @Option(
        name: .customLong("bundle-id"),
        help: ArgumentHelp(
            "ios: the application's bundle id; it makes the facet (default \(DeviceFamily.ios.demonstrationApplication)).",
            valueName: "ID"))
    var bundleID: String?

    @Option(
        help: ArgumentHelp(
            "android: the SHA-1 of the application's signing certificate, in Base64 without padding; it makes the facet.",
            valueName: "HASH"))
    var apkKeyHash: String?

    @Option(help: ArgumentHelp("The name of the phone.", valueName: "NAME"))
    var name = "Command line"

    @OptionGroup var push: PushOptions

    func validate() throws {
        guard tcti == nil || keys != .software else {
            throw ValidationError("--tcti goes with --keys hardware and --keys prefer-hardware.")
        }
        guard bundleID == nil || profile == .ios else { throw ValidationError("--bundle-id goes with --profile ios.") }
        guard apkKeyHash == nil || profile == .android else {
            throw ValidationError("--apk-key-hash goes with --profile android.")
        }
    }

    func run() async throws {
        try await phone.report {
            _ = try Phone.address(server)
            let settings = PhoneSettings(
                server: server, name: name,
                authorities: try ca.map { String(decoding: try AuthorityFile.read($0), as: UTF8.self) })
            let subscription = try await push.subscribe()
            let (device, obstacle) = try await create(settings)
            if let subscription { try phone.folder.keep(subscription) }
            return CommandReport.Outcome(
                text: "A phone is in \(phone.device).\n\(advice(device.keys, obstacle))",
                result: JSONObject([
                    "device": .string(phone.device), "facetID": .string(device.facetText),
                    "keys": .string(device.keys == .software ? "software" : "tpm"),
                    "keyVaultWarning": device.keys == .software ? .string(advice(.software, obstacle)) : .null,
                    "profile": .string(profile.rawValue),
                ]))
        }
    }

    private var connection: String { tcti ?? DeviceKeys.systemConnection }

    /// Creates the phone; a missing TPM never leads to software keys unless the user has asked for them.
    ///
    /// With the phone comes what has kept its keys out of the hardware; nil for nothing.
    private func create(
        _ settings: PhoneSettings
    ) async throws -> (device: DeviceSettings, obstacle: KeyVaultError?) {
        guard keys != .software else { return (try await create(settings, .software), nil) }
        do {
            return (try await create(settings, .trustedPlatformModule(connection: connection)), nil)
        } catch VirtualDeviceError.unusableKeys(let cause as KeyVaultError) {
            if keys == .preferHardware, cause.meansNoHardware { return (try await create(settings, .software), cause) }
            guard cause == .hardwareUnavailable else { throw VirtualDeviceError.unusableKeys(cause) }
            throw CommandFailure.local(
                "HardwareUnavailable",
                """
                no TPM 2.0 answers at \(connection): name another connection with --keys hardware --tcti TCTI (the \
                account must be in the group that owns the chip, tss on Debian), or choose --keys software, which keeps \
                the keys in files that every program of this account can copy
                """)
        }
    }

    private func create(_ settings: PhoneSettings, _ keys: DeviceKeys) async throws -> DeviceSettings {
        let device = try DeviceSettings(profile, application: bundleID ?? apkKeyHash, keys: keys)
        try await phone.folder.create(device, settings)
        return device
    }

    private func advice(_ taken: DeviceKeys, _ obstacle: KeyVaultError?) -> String {
        let risk = "an attacker who reads the folder and learns the PIN has them."
        return switch (taken, keys) {
        case (.trustedPlatformModule, _):
            "Its keys lie in the TPM, which counts wrong PINs. signet device show tells what protects them."
        case (.software, .software): "Its keys are protected by software only: \(risk)"
        case (.software, _):
            "Warning: its keys are protected by software only, because \(words(for: obstacle)): \(risk)"
        }
    }

    private func words(for obstacle: KeyVaultError?) -> String {
        switch obstacle {
        case .ownerAuthorizationRequired:
            "the owner of the TPM at \(connection) has set an authorization that this program does not know"
        case .hardwareFull: "the TPM at \(connection) has no room left"
        default: "this account has no TPM at \(connection)"
        }
    }
}

extension DeviceFamily: ExpressibleByArgument {}

struct DeviceDestroy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "destroy",
        abstract: "Remove this phone with all its keys; the servers are not asked and keep their records.",
        discussion: """
            Do not just remove the folder: the counters of the phone would stay in the TPM, which has room for about two \
            dozen.
            """)

    @OptionGroup var phone: PhoneOptions

    func run() async throws {
        try await phone.report {
            let path = phone.folder.path
            try await VirtualDevice.destroyKeys(inDirectory: path)
            do {
                try FileManager.default.removeItem(atPath: path)
            } catch {
                throw CommandFailure.local("FileUnwritable", "the keys are destroyed, but \(path) cannot be removed")
            }
            return CommandReport.Outcome(
                text: "The phone in \(path) is gone. The servers still have its records.",
                result: JSONObject(["folder": .string(path)]))
        }
    }
}

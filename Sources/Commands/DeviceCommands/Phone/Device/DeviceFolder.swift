import Authenticators
import HardwareKeys
import MobileAuthentication

/// The folder of a virtual device: its description, keys and records, and a lock that one operation holds at a time.
struct DeviceFolder: Sendable {
    /// The file that says what the device is.
    private struct Record: Codable {
        let format: Int
        let family: String
        let application: String
        let keys: String
        let connection: String?

        init(_ settings: DeviceSettings) {
            format = DeviceFolder.format
            family = settings.family.rawValue
            application = settings.application
            switch settings.keys {
            case .software: (keys, connection) = ("software", nil)
            case .trustedPlatformModule(let name): (keys, connection) = ("tpm", name)
            }
        }

        /// Storage of the keys; nil for a record of another form.
        var deviceKeys: DeviceKeys? {
            switch (keys, connection) {
            case ("software", nil): .software
            case ("tpm", let name?): .trustedPlatformModule(connection: name)
            default: nil
            }
        }
    }

    private static let format = 4
    private static let byteLimit = 4096

    let path: String
    private let fileSystem: any FileSystem = PosixFileSystem()

    private var file: AtomicFile { AtomicFile(named: "device.json", in: path, of: fileSystem) }

    func create(_ settings: DeviceSettings) async throws(VirtualDeviceError) {
        do throws(FileSystemError) {
            try fileSystem.makeDirectory(path)
        } catch {
            throw VirtualDeviceError(error)
        }
        let lock = try await lock()
        defer { lock.release() }
        guard try read() == nil else { throw .alreadyInitialized }
        do throws(KeyVaultError) {
            try await settings.keys.makeVault(inFolder: path)
        } catch {
            throw .unusableKeys(error)
        }
        guard let octets = try? JSONEncoder().encode(Record(settings)), octets.count <= Self.byteLimit else {
            throw .outdated
        }
        do throws(FileSystemError) {
            try file.replace(with: Array(octets))
        } catch {
            throw VirtualDeviceError(error)
        }
    }

    /// Destroys the keys; the folder is of no use afterwards.
    func destroyKeys() async throws(VirtualDeviceError) {
        let lock = try await lock()
        defer { lock.release() }
        let settings = try settings()
        do throws(KeyVaultError) {
            try await settings.keys.destroyVault(inFolder: path)
        } catch {
            throw .unusableKeys(error)
        }
    }

    func settings() throws(VirtualDeviceError) -> DeviceSettings {
        guard let octets = try read() else { throw .notInitialized }
        guard let record = try? JSONDecoder().decode(Record.self, from: Data(octets)),
            record.format == Self.format, let family = DeviceFamily(rawValue: record.family),
            let keys = record.deviceKeys
        else { throw .outdated }
        return try DeviceSettings(family, application: record.application, keys: keys)
    }

    func authenticatorPorts(
        of keys: DeviceKeys, _ surroundings: VirtualDevice.Surroundings
    ) async throws(VirtualDeviceError) -> AuthenticatorPorts {
        do {
            let vault = try await keys.openVault(inFolder: path)
            let store = try await SecureStorageCredentialStore.open(inDirectory: path, sealedBy: vault)
            var ports = AuthenticatorPorts(
                store: store, vault: vault, clock: surroundings.coolDownClock,
                secretProtection: surroundings.secretProtection)
            ports.presence = surroundings.presence
            ports.platform = surroundings.platform
            ports.deviceLock = surroundings.deviceLock
            try await KeyJournal(ports).recover()
            return ports
        } catch {
            throw .unusableKeys(error)
        }
    }

    /// Waits, at most ten seconds, until no other process works with the device.
    func lock() async throws(VirtualDeviceError) -> FileLock {
        do throws(FileSystemError) {
            return try await fileSystem.lock(path + "/device.lock")
        } catch .absent {
            throw .notInitialized
        } catch {
            throw VirtualDeviceError(error)
        }
    }

    private func read() throws(VirtualDeviceError) -> [UInt8]? {
        do throws(FileSystemError) {
            return try file.read(atMost: Self.byteLimit)
        } catch .absent {
            return nil
        } catch {
            throw VirtualDeviceError(error)
        }
    }
}

extension VirtualDeviceError {
    fileprivate init(_ error: FileSystemError) {
        self =
            switch error {
            case .busy: .busy
            case .exposed: .exposed
            case .failed(let code): .storageFailed(code: code)
            case .absent: .notInitialized
            case .present: .alreadyInitialized
            case .tooLarge: .outdated
            @unknown default: .outdated
            }
    }
}

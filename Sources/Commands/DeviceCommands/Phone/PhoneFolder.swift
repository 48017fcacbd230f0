import CommandSupport
import HardwareKeys
import StrictJSON

/// Folder of one virtual phone: the device's files, and the files of the commands beside it.
struct PhoneFolder {
    private static let byteLimit = 1 << 20

    let path: String

    private let fileSystem = PosixFileSystem()
    private var file: AtomicFile { AtomicFile(named: "phone.json", in: path, of: fileSystem) }
    private var subscriptionFile: AtomicFile { AtomicFile(named: "push.json", in: path, of: fileSystem) }

    init(path: String) {
        self.path = path
    }

    func create(_ device: DeviceSettings, _ settings: PhoneSettings) async throws {
        try await VirtualDevice.create(inDirectory: path, device)
        try file.replace(with: JSONWriter.write(settings.json))
    }

    func settings() throws -> PhoneSettings {
        do {
            return try PhoneSettings(
                json: try JSONParser.parse(try file.read(atMost: Self.byteLimit), limits: .document))
        } catch FileSystemError.absent {
            throw CommandFailure.local("NoDevice", "there is no phone in \(path): make one with signet device init")
        } catch let error where error is JSONTypeError || error is StrictJSONError {
            throw CommandFailure.local("DeviceOutdated", "the phone in \(path) has another form: init it again")
        }
    }

    func rename(to name: String) throws {
        var settings = try settings()
        settings.name = name
        try file.replace(with: JSONWriter.write(settings.json))
    }

    func subscription() throws -> PushSubscription? {
        do {
            return try PushSubscription(
                json: try JSONParser.parse(try subscriptionFile.read(atMost: Self.byteLimit), limits: .document))
        } catch FileSystemError.absent {
            return nil
        } catch let error where error is JSONTypeError || error is StrictJSONError {
            throw CommandFailure.local(
                "SubscriptionUnreadable",
                "push.json of the phone has another form: subscribe again with signet device info change --push-sink")
        }
    }

    func keep(_ subscription: PushSubscription) throws {
        try subscriptionFile.replace(with: JSONWriter.write(subscription.json))
    }

    func forgetSubscription() throws { try subscriptionFile.remove() }
}

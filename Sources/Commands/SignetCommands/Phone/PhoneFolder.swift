import HardwareKeys
import StrictJSON
import VirtualDevice

/// The folder that stands for one phone: a virtual device, and beside it what the commands remember.
struct PhoneFolder {
    private static let byteLimit = 1 << 20

    /// The path of the folder.
    let path: String

    private let fileSystem = PosixFileSystem()
    private var file: AtomicFile { AtomicFile(named: "phone.json", in: path, of: fileSystem) }
    private var subscriptionFile: AtomicFile { AtomicFile(named: "push.json", in: path, of: fileSystem) }

    init(path: String) {
        self.path = path
    }

    /// Makes a new phone.
    func create(_ device: DeviceSettings, _ settings: PhoneSettings) async throws {
        try await VirtualDevice.create(inDirectory: path, device)
        try file.replace(with: JSONWriter.write(settings.json))
    }

    /// What `init` fixed.
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

    /// Gives the phone another name.
    func rename(to name: String) throws {
        var settings = try settings()
        settings.name = name
        try file.replace(with: JSONWriter.write(settings.json))
    }

    /// Where its push messages arrive; nil for nowhere.
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

    /// Keeps where its push messages arrive.
    func keep(_ subscription: PushSubscription) throws {
        try subscriptionFile.replace(with: JSONWriter.write(subscription.json))
    }

    /// Push messages arrive nowhere any more.
    func forgetSubscription() throws { try subscriptionFile.remove() }
}

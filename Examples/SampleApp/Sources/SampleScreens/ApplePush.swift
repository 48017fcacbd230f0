#if canImport(SwiftUI) && canImport(UserNotifications)
    public import SampleApp
    import UserNotifications

    /// Push messages of an Apple device by way of a service that gives a token, such as Firebase.
    @MainActor
    public final class ApplePush: PushService {
        private let readToken: @MainActor () async throws -> String

        /// `token` reads the registration token of the push service; with Firebase `Messaging.messaging().token()`.
        public init(token: @escaping @MainActor () async throws -> String) { readToken = token }

        public func askForPermission() async -> Bool {
            let center = UNUserNotificationCenter.current()
            return (try? await center.requestAuthorization(options: [.alert, .sound])) ?? false
        }

        public func token() async throws -> String { try await readToken() }

        /// The payload in the data of a message, for ``AppModel/receive(push:)``; nil for a message of another sender.
        public static func payload(in userInfo: [AnyHashable: Any]) -> String? {
            let names = ["nma_data", "nma_data_content_type", "nma_data_version"]
            var members: [String: Any] = [:]
            for name in names {
                guard let value = userInfo[name] else { return nil }
                members[name] = value
            }
            guard JSONSerialization.isValidJSONObject(members),
                let data = try? JSONSerialization.data(withJSONObject: members)
            else { return nil }
            return String(decoding: data, as: UTF8.self)
        }
    }
#endif

import BackendAPI
package import OpenID
package import ServerCore
import Synchronization

/// Announcement of a new device or passkey to the older devices of its user, and of a recovery to all (subscriber `announcements`).
///
/// The message is pushed before the place in the audit is written: after a crash between the two it may come twice, and is
/// never lost for that. A push service that does not take it is no reason to stop, and a slow one holds up announcements
/// only: ``AuditFollower`` follows each subscriber by itself.
package final class DeviceAnnouncement: AuditSubscriber {
    /// Record that was announced.
    private struct Place: Hashable {
        let chainID: String
        let sequence: Int64
    }

    private struct Parcel {
        let notification: DispatchPayload.Notification
        let dispatcher: any Dispatcher
        let destination: PushDestination
    }

    /// Records that are remembered, so that a transaction that failed does not announce again.
    private static let memory = 1_000
    private static let parallelLimit = 16
    /// Time for which a user is told once of weaker methods that were refused, however often they are tried.
    private static let warningPace: Duration = .seconds(3_600)

    private let targets: any DispatchTargetRepository
    private let dispatchers: DispatcherSet
    private let notifications: [AuditEvent.Kind: DispatchPayload.Notification]
    private let announced = Mutex<[Place]>([])
    /// Time at which a user was told last of a weaker method.
    private let warned = Mutex<[UserID: Timestamp]>([:])

    /// Announces what the settings say; nil when that is nothing.
    ///
    /// A recovery is announced wherever there are any.
    package init?(
        settings: OpenIDSettings, targets: any DispatchTargetRepository, dispatchers: DispatcherSet
    ) {
        self.targets = targets
        self.dispatchers = dispatchers
        let language = PageLanguage(rawValue: settings.pages.language) ?? .english
        let texts = PageTexts(language: language, chosen: settings.pages.theme.texts[language.rawValue] ?? [:])
        var notifications: [AuditEvent.Kind: DispatchPayload.Notification] = [:]
        if settings.pages.announcesNewDevices {
            notifications[.targetCreated] = DispatchPayload.Notification(
                title: texts[.announcementTitle], body: texts[.announcementBody])
        }
        if settings.pages.announcesNewDevices, settings.openID?.passkeys != nil {
            notifications[.passkeyRegistered] = DispatchPayload.Notification(
                title: texts[.passkeyNoticeTitle], body: texts[.announcementBody])
        }
        if settings.openID?.passkeys != nil {
            notifications[.weakerMethodRefused] = DispatchPayload.Notification(
                title: texts[.weakerNoticeTitle], body: texts[.weakerNoticeBody])
        }
        if settings.recovery.isEnabled {
            notifications[.recoveryBegun] = DispatchPayload.Notification(
                title: texts[.recoveryNoticeTitle], body: texts[.recoveryNoticeBody])
        }
        guard !notifications.isEmpty else { return nil }
        self.notifications = notifications
    }

    package var name: String { "announcements" }

    package var kinds: Set<AuditEvent.Kind> { Set(notifications.keys) }

    package func prepare(
        _ records: [AuditSubscriberRecord], random: any RandomSource, at now: Timestamp
    ) async throws(ServerError) -> AuditSubscriberEffect {
        var parcels: [Parcel] = []
        var noted: [AuditSubscriberRecord] = []
        for record in records {
            guard let user = record.userID, let notification = notifications[record.kind], isNew(record),
                isDue(record)
            else { continue }
            noted.append(record)
            let owned: [DispatchTarget]
            do throws(ServerError) {
                owned = try await targets.targets(of: user)
            } catch {
                // None of them was announced.
                for record in noted { forget(record) }
                throw error
            }
            parcels += self.parcels(
                notification, to: owned.filter { $0.id != record.target && $0.createdAt <= record.at })
        }
        await announce(parcels)
        return .nothing
    }

    private func parcels(
        _ notification: DispatchPayload.Notification, to others: [DispatchTarget]
    ) -> [Parcel] {
        let dispatchers = dispatchers.current.pushing
        return others.compactMap { other in
            guard let destination = other.destination,
                let dispatcher = dispatchers.first(where: { $0.name == other.dispatcher }) ?? dispatchers.first
            else { return nil }
            return Parcel(notification: notification, dispatcher: dispatcher, destination: destination)
        }
    }

    private func announce(_ parcels: [Parcel]) async {
        await withTaskGroup(of: Void.self) { group in
            for (index, parcel) in parcels.enumerated() {
                if index >= Self.parallelLimit { await group.next() }
                group.addTask { _ = await parcel.dispatcher.announce(parcel.notification, to: parcel.destination) }
            }
        }
    }

    // MARK: - Memory

    private func isNew(_ record: AuditSubscriberRecord) -> Bool {
        let place = Place(chainID: record.chainID, sequence: record.sequence)
        return announced.withLock { places in
            guard !places.contains(place) else { return false }
            places.append(place)
            if places.count > Self.memory { places.removeFirst() }
            return true
        }
    }

    private func isDue(_ record: AuditSubscriberRecord) -> Bool {
        guard record.kind == .weakerMethodRefused, let user = record.userID else { return true }
        return warned.withLock { times in
            if let last = times[user], record.at - last < Self.warningPace { return false }
            if times.count >= Self.memory { times.removeAll() }
            times[user] = record.at
            return true
        }
    }

    private func forget(_ record: AuditSubscriberRecord) {
        let place = Place(chainID: record.chainID, sequence: record.sequence)
        announced.withLock { places in places.removeAll { $0 == place } }
    }
}

import Octets
import Synchronization

/// Access keys of the configuration; a running server takes up others.
package final class AccessKeys: Sendable {
    private struct Books {
        var keys: [AccessKey]
        var removed: Set<AccessKeyName> = []
    }

    private let books: Mutex<Books>

    package init(_ keys: [AccessKey]) {
        books = Mutex(Books(keys: keys))
    }

    /// Replaces all keys: a request with a key that is left out is unauthorized from now on.
    package func replace(with keys: [AccessKey]) {
        books.withLock { books in
            books.removed = books.removed.union(books.keys.map(\.name)).subtracting(keys.map(\.name))
            books.keys = keys
        }
    }

    /// The rights of a key; nil for one that is not known.
    package func rights(of name: AccessKeyName) -> AccessKeyRights? {
        books.withLock { $0.keys.first { $0.name == name }?.rights }
    }

    /// Whether there was a key of this name, which was left out since.
    package func wasRemoved(_ name: AccessKeyName) -> Bool { books.withLock { $0.removed.contains(name) } }

    /// The name of a key; all keys are compared, each in constant time.
    package func name(of text: String) -> AccessKeyName? {
        let hash = AccessKeyHash(of: text.utf8)
        return books.withLock { $0.keys }.reduce(nil) { found, key in
            let matches = (try? ConstantTimeEquality.require(key.hash.octets, equals: hash.octets)) != nil
            return matches ? key.name : found
        }
    }
}

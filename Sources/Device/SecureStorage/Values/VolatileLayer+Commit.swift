import HardwareKeys

extension VolatileLayer {
    /// The same entries under another root key.
    ///
    /// Throws ``SecureStorage/SecureStorageError/storageCorrupted`` when memory was changed by somebody else.
    func rekeyed(
        with envelope: KeyEnvelope, _ environment: StorageEnvironment
    ) throws(SecureStorageError) -> VolatileLayer {
        var layer = self
        var header = envelope.header
        header.generation = self.header.generation
        header.anchor = self.header.anchor
        layer.header = header
        layer.wrap = envelope.wrap
        layer.keys = envelope.keys
        layer.invocations = 0
        for (name, entry) in entries {
            try layer.takeOver(entry, named: name, from: keys, environment)
        }
        return layer
    }

    /// The ends of the file that the layer started from; nil when there was none yet.
    var fileEnds: FileEnds? {
        guard let authenticator else { return nil }
        let byteCount = header.fullByteCount + UInt64(header.indexByteCount) + UInt64(header.valuesByteCount)
        return FileEnds(
            byteCount: Int(byteCount) + StoreFile.trailerByteCount, first: header.encoded,
            last: authenticator + StoreFile.end(of: header))
    }

    /// Notes that the layer lies on the disk as it is now.
    mutating func adopt(_ product: StoreFileWriter.Product) {
        header = product.header
        authenticator = product.authenticator
        invocations = product.header.invocations
        unacknowledged = nil
        order = product.names
        markWritten()
    }

    /// Takes the file whose write failed at its very end for the last commit.
    mutating func continueFromUnacknowledged(anchoredAt anchor: UInt64) {
        guard let unacknowledged else { return }
        authenticator = unacknowledged
        header.generation += 1
        header.anchor = anchor
        self.unacknowledged = nil
    }

    /// This layer, which is on the disk now, with what was changed in `current` since `start` was taken.
    func merged(
        with current: VolatileLayer, since start: VolatileLayer, _ environment: StorageEnvironment
    ) -> VolatileLayer {
        var layer = self
        layer.readableUntil = protectionIsSame(as: start) ? current.readableUntil : readableUntil
        guard current.revision != start.revision else { return layer }
        for name in Set(current.entries.keys).union(start.entries.keys) {
            let entry = current.entries[name]
            guard entry?.revision != start.entries[name]?.revision else { continue }
            if let entry {
                // Memory that somebody else changed opens with no key and stays as useless as it was.
                try? layer.takeOver(entry, named: name, from: current.keys, environment)
            } else {
                layer.drop(name)
            }
        }
        layer.outdate(current.revision)
        return layer
    }

    private func protectionIsSame(as other: VolatileLayer) -> Bool {
        header.protection == other.header.protection && wrap == other.wrap
    }

    /// Puts an entry of a layer with the same storage and maybe other keys.
    private mutating func takeOver(
        _ entry: StoredEntry, named name: EntryName, from oldKeys: StoreKeys, _ environment: StorageEnvironment
    ) throws(SecureStorageError) {
        guard oldKeys !== keys else {
            adopt(entry, named: name)
            return
        }
        let old = ReadableEntry(entry: entry, name: name, keys: oldKeys)
        adopt(try old.resealed(under: keys, nonces: environment), named: name)
        invocations += 1
    }
}

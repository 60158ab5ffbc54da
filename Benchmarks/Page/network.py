"""A network of one client, which can be cut, slow, or a hole that swallows everything: a proxy on this machine."""
import random
import select
import socket
import threading
import time


class Network:
    """A port that leads to another one, as its `mode` says: whole, slow, cut or hole."""

    def __init__(self, seed):
        self.mode, self.target = "whole", None
        self.random = random.Random(seed)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.open = set()
        threading.Thread(target=self.listen, daemon=True).start()

    def change(self, mode):
        self.mode = mode
        if mode == "cut":
            for connection in list(self.open):
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def listen(self):
        while True:
            client, _ = self.listener.accept()
            if self.mode == "cut":
                client.close()
                continue
            threading.Thread(target=self.carry, args=(client,), daemon=True).start()

    def carry(self, client):
        try:
            server = socket.create_connection(("127.0.0.1", self.target))
        except OSError:
            return client.close()
        both = (client, server)
        for connection in both:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.open |= set(both)
        # What is on its way: when it arrives, where, and the bytes. Each way keeps its order.
        way, due = [], {connection: 0.0 for connection in both}
        try:
            while True:
                now = time.monotonic()
                while way and way[0][0] <= now and self.mode != "hole":
                    _, to, data = way.pop(0)
                    to.sendall(data)
                if self.mode == "hole":
                    time.sleep(0.01)
                    continue
                ready, _, _ = select.select(both, [], [], 0.002 if way else 0.01)
                for one in ready:
                    data = one.recv(65536)
                    if not data:
                        return
                    to = server if one is client else client
                    delay = self.random.uniform(0.03, 0.09) if self.mode == "slow" else 0
                    due[to] = max(due[to], time.monotonic() + delay)
                    way.append((due[to], to, data))
                    way.sort(key=lambda each: each[0])
        except OSError:
            pass
        finally:
            self.open -= set(both)
            for connection in both:
                connection.close()

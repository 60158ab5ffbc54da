"""A proxy that delays each direction of a connection by 30 to 70 ms, in order, as a slow wireless network does."""
import asyncio
import random
import threading

DELAYS = (0.030, 0.070)


async def pass_on(reader, writer):
    loop = asyncio.get_running_loop()
    queue = asyncio.Queue()

    async def deliver():
        while True:
            due, data = await queue.get()
            await asyncio.sleep(max(due - loop.time(), 0))
            if not data:
                writer.close()
                return
            writer.write(data)
            await writer.drain()

    task = asyncio.create_task(deliver())
    try:
        while True:
            data = await reader.read(65536)
            await queue.put((loop.time() + random.uniform(*DELAYS), data))
            if not data:
                break
        await task
    except (ConnectionError, asyncio.CancelledError):
        task.cancel()
        writer.close()


def start(listening, port):
    """Passes what comes to port `listening` on to `port`, on a thread that ends with the program."""

    async def serve():
        async def accept(reader, writer):
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
            await asyncio.gather(pass_on(reader, far_writer), pass_on(far_reader, writer))

        server = await asyncio.start_server(accept, "127.0.0.1", listening)
        ready.set()
        await server.serve_forever()

    ready = threading.Event()
    threading.Thread(target=lambda: asyncio.run(serve()), daemon=True).start()
    ready.wait()

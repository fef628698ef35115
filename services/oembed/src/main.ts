import { runService } from '@sevenfold/chassis/run-service';
import { variables } from './config';
import { oembedService } from './service';

void runService(oembedService, variables, process.env);
